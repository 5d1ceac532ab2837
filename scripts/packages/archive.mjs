// Creates the archive of a platform, and for Linux the packages for Debian and RPM, from the built program.
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../run.mjs';
import { about, maintainer, output } from './about.mjs';
import { archiveName, isWindows, programName } from './targets.mjs';

/** @typedef {import('./targets.mjs').Target} Target */

/** The long description, in lines that Debian's format accepts. */
const paragraph = `${about.description}.`;

/**
 * @param {string} file
 * @param {string | Buffer} content
 */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/**
 * Creates the archive. Its files are at the top level.
 *
 * @param {string} folder - A new folder.
 * @param {Target} target
 * @param {string} binary
 * @param {string} out
 */
export function packArchive(folder, target, binary, out) {
  mkdirSync(folder, { recursive: true });
  const program = programName(target);
  copyFileSync(binary, join(folder, program));
  chmodSync(join(folder, program), 0o755);
  const texts = ['LICENSE', 'README.md', 'CHANGELOG.md'];
  for (const text of texts) copyFileSync(join(root, text), join(folder, text));
  const archive = join(out, archiveName(about.version, target));
  const files = [program, ...texts];
  // Python writes .zip files on every runner; the tar of Git for Windows does not.
  if (isWindows(target)) output('python3', ['-m', 'zipfile', '-c', archive, ...files], { cwd: folder });
  else output('tar', ['-czf', archive, ...files], { cwd: folder });
  return archive;
}

/**
 * Creates the tree that a system package installs: the program, its manual and its completions.
 *
 * @param {string} folder
 * @param {string} binary
 * @param {string} zsh - The folder of completions for zsh, which the distributions name differently.
 */
function systemTree(folder, binary, zsh) {
  const program = join(folder, 'usr/bin/sitegate');
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(binary, program);
  chmodSync(program, 0o755);
  write(join(folder, 'usr/share/man/man1/sitegate.1.gz'), gzipSync(output(binary, ['man']), { level: 9 }));
  write(join(folder, 'usr/share/bash-completion/completions/sitegate'), output(binary, ['completions', 'bash']));
  write(join(folder, 'usr/share/zsh', zsh, '_sitegate'), output(binary, ['completions', 'zsh']));
  write(join(folder, 'usr/share/fish/vendor_completions.d/sitegate.fish'), output(binary, ['completions', 'fish']));
  mkdirSync(join(folder, 'usr/share/doc/sitegate'), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'usr/share/doc/sitegate/copyright'));
}

/**
 * @param {string} folder - A new folder.
 * @param {Target} target
 * @param {string} binary
 * @param {string} out
 */
export function packDeb(folder, { deb = '' }, binary, out) {
  systemTree(folder, binary, 'vendor-completions');
  const fields = { Package: about.name, Version: about.version, Architecture: deb, Maintainer: maintainer, Section: 'web', Priority: 'optional', Homepage: about.repository, Description: `${about.summary}\n ${paragraph}` };
  const control = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  write(join(folder, 'DEBIAN/control'), control.join(''));
  const file = join(out, `sitegate_${about.version}_${deb}.deb`);
  output('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', folder, file]);
  return file;
}

/**
 * @param {string} folder - A new folder.
 * @param {Target} target
 * @param {string} binary
 * @param {string} out
 */
export function packRpm(folder, { rpm = '' }, binary, out) {
  const tree = join(folder, 'tree');
  systemTree(tree, binary, 'site-functions');
  const spec = `Name: ${about.name}
Version: ${about.version.replace('-', '~')}
Release: 1
Summary: ${about.summary}
License: ${about.license}
URL: ${about.repository}
Packager: ${maintainer}
AutoReqProv: no
%global debug_package %{nil}
%global _build_id_links none
%global _buildhost release
%global __os_install_post %{nil}

%description
${paragraph}

%install
cp -a ${tree}/. %{buildroot}

%files
%attr(755, root, root) /usr/bin/sitegate
%doc /usr/share/man/man1/sitegate.1.gz
%license /usr/share/doc/sitegate/copyright
/usr/share/bash-completion/completions/sitegate
/usr/share/zsh/site-functions/_sitegate
/usr/share/fish/vendor_completions.d/sitegate.fish
`;
  write(join(folder, 'sitegate.spec'), spec);
  output('rpmbuild', ['-bb', '--quiet', '--target', rpm, '--define', `_topdir ${folder}/build`, '--define', `_rpmdir ${folder}/rpm`, join(folder, 'sitegate.spec')]);
  const file = join(out, `sitegate-${about.version}-1.${rpm}.rpm`);
  copyFileSync(join(folder, 'rpm', rpm, `sitegate-${about.version.replace('-', '~')}-1.${rpm}.rpm`), file);
  return file;
}
