// Writes the other files of a release: checksums, installers, manifests of package managers, the GitLab template, the notes.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { about, downloads, owner } from './about.mjs';
import { archiveName, targetOf, targets } from './targets.mjs';

const windowsArchive = archiveName(about.version, targetOf('win32-x64'));

/** @param {string} file */
const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Returns the changelog of this version. */
export function notes() {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const start = changelog.indexOf(`\n## [${about.version}]`);
  if (start === -1) throw new Error(`CHANGELOG.md has no section for ${about.version}`);
  const section = changelog.slice(start + 1);
  const end = section.slice(3).search(/^(?:## |\[[^\]]+\]: )/mu);
  return `${section.slice(section.indexOf('\n'), end === -1 ? undefined : end + 3).trim()}\n`;
}

/** @param {(target: string) => string} sum */
const formula = (sum) => `class Sitegate < Formula
  desc "${about.summary}"
  homepage "${about.repository}"
  version "${about.version}"
  license "${about.license}"
${[['macos', 'darwin'], ['linux', 'linux']].map(([system, npm]) => `
  on_${system} do
${[['arm', 'arm64'], ['intel', 'x64']].map(([cpu, arch]) => {
  const target = targets.find((one) => one.npm === `${npm}-${arch}`) ?? targets[0];
  return `    on_${cpu} do
      url "${downloads}/${archiveName(about.version, /** @type {import('./targets.mjs').Target} */ (target))}"
      sha256 "${sum(target?.target ?? '')}"
    end
`;
}).join('')}  end
`).join('')}
  def install
    bin.install "sitegate"
    generate_completions_from_executable(bin/"sitegate", "completions")
    (man1/"sitegate.1").write Utils.safe_popen_read(bin/"sitegate", "man")
  end

  test do
    (testpath/"site/index.html").write "<!doctype html><a href='/gone'>x</a>"
    assert_match "broken-link", shell_output("#{bin}/sitegate check site", 1)
  end
end
`;

/** @param {string} sum */
const scoop = (sum) => ({
  version: about.version,
  description: about.summary,
  homepage: about.repository,
  license: about.license,
  architecture: { '64bit': { url: `${downloads}/${windowsArchive}`, hash: sum } },
  bin: 'sitegate.exe',
});

/**
 * Returns the three files of a winget manifest: version, installer, and default locale.
 *
 * @param {string} sum
 * @returns {Record<string, string>}
 */
function winget(sum) {
  const id = `${owner}.sitegate`;
  /** @param {string} type @param {string[]} lines */
  const manifest = (type, lines) =>
    [`PackageIdentifier: ${id}`, `PackageVersion: ${about.version}`, ...lines, `ManifestType: ${type}`, 'ManifestVersion: 1.6.0', ''].join('\n');
  return {
    [`${id}.yaml`]: manifest('version', ['DefaultLocale: en-US']),
    [`${id}.installer.yaml`]: manifest('installer', [
      'InstallerType: zip',
      'NestedInstallerType: portable',
      'NestedInstallerFiles:',
      '- RelativeFilePath: sitegate.exe',
      '  PortableCommandAlias: sitegate',
      'Installers:',
      '- Architecture: x64',
      `  InstallerUrl: ${downloads}/${windowsArchive}`,
      `  InstallerSha256: ${sum.toUpperCase()}`,
    ]),
    [`${id}.locale.en-US.yaml`]: manifest('defaultLocale', [
      'PackageLocale: en-US',
      `Publisher: ${owner}`,
      'PackageName: sitegate',
      `PackageUrl: ${about.repository}`,
      `License: ${about.license}`,
      `ShortDescription: ${about.summary}`,
    ]),
  };
}

/**
 * Returns the text of a file of this folder, with values instead of `@NAME@`, and `scripts/comment.sh` instead of `@COMMENT@`.
 *
 * @param {string} name
 * @param {Record<string, string>} values
 */
export function filled(name, values) {
  const script = readFileSync(join(root, 'scripts/comment.sh'), 'utf8').trimEnd();
  const all = { ...values, COMMENT: script.replaceAll(/^(?=.)/gmu, '      ') };
  const template = readFileSync(join(root, 'scripts/packages', name), 'utf8');
  return Object.entries(all).reduce((text, [key, value]) => text.replaceAll(`@${key}@`, () => value), template);
}

/**
 * Writes the files next to the archives.
 *
 * @param {string} out
 */
export function writeManifests(out) {
  const sums = new Map(targets.map((target) => [target.target, digest(join(out, archiveName(about.version, target)))]));
  /** @param {string} target */
  const sum = (target) => sums.get(target) ?? '';
  const lines = targets.map((target) => `${sum(target.target)}  ${archiveName(about.version, target)}`).filter((line) => line.endsWith('.tar.gz'));
  const windowsSum = sum('x86_64-pc-windows-msvc');
  const values = { VERSION: about.version, RELEASES: downloads, SUMS: lines.join('\n'), ARCHIVE: windowsArchive, SUM: windowsSum };
  for (const name of ['install.sh', 'install.ps1', 'gitlab.yml', 'gitlab-review.yml']) writeFileSync(join(out, name), filled(name, values));
  writeFileSync(join(out, 'sitegate.rb'), formula(sum));
  writeFileSync(join(out, 'sitegate.json'), `${JSON.stringify(scoop(windowsSum), undefined, 2)}\n`);
  for (const [name, text] of Object.entries(winget(windowsSum))) writeFileSync(join(out, name), text);
  copyFileSync(join(root, 'sitegate.schema.json'), join(out, 'sitegate.schema.json'));
  const published = readdirSync(out).filter((name) => /\.(?:tar\.gz|zip|deb|rpm|sh|ps1|rb|json|ya?ml)$/u.test(name)).toSorted();
  writeFileSync(join(out, 'SHA256SUMS'), published.map((name) => `${digest(join(out, name))}  ${name}\n`).join(''));
  writeFileSync(join(out, 'notes.md'), notes());
}
