// Fresh users: each installs the release in its own way, and must find a planted fault.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, run } from './machine.mjs';
import { runAction } from './workflow.mjs';

/**
 * @typedef {import('./workflow.mjs').Rehearsal} Rehearsal
 * @typedef {import('./workflow.mjs').Row} Row
 *
 * The place of a user: a folder with the exports `good` and `bad`, a home, and a function that runs a script there.
 * @typedef {{ folder: string, env: Record<string, string>, log: string, rehearsal: Rehearsal, version: string, npm: string, script: (text: string, status?: number) => Promise<string> }} User
 */

const page = (/** @type {string} */ link) => `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>x</title>\n<a href="${link}">x</a>\n`;

/**
 * Runs a program on both exports: it must pass the good one, and find the fault of the bad one.
 *
 * @param {User} user
 * @param {string} sitegate
 */
async function judge({ script, version }, sitegate) {
  const printed = await script(`${sitegate} --version`);
  if (!printed.includes(version)) throw new Error(`${sitegate} --version prints ${printed}, not ${version}`);
  await script(`${sitegate} check good`);
  const output = await script(`${sitegate} check bad`, 1);
  if (!output.includes('error[broken-link]') || !output.includes('bad/index.html:3')) throw new Error(`the planted fault was not found:\n${output}`);
}

/** Downloads a file of the release into the user's folder. @param {User} user @param {string} file */
const download = ({ script, version }, file) => script(`curl --fail --silent --show-error --location --remote-name "$LAB_RELEASES/download/v${version}/${file}"`);

/** @param {User} user */
const archiveOf = ({ version }) => `sitegate-v${version}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl.tar.gz`;

/** @param {User} user */
async function byArchive(user) {
  const archive = archiveOf(user);
  await download(user, archive);
  await download(user, 'SHA256SUMS');
  await user.script('sha256sum --check --ignore-missing SHA256SUMS');
  await user.script(`gh attestation verify ${archive} --repo OWNER/sitegate --source-ref refs/tags/v${user.version}`);
  await user.script(`tar -xzf ${archive} sitegate`);
  await judge(user, './sitegate');
  await user.script(`printf x >> ${archive}; ! sha256sum --check --ignore-missing SHA256SUMS`);
}

/** @param {User} user */
async function byInstaller(user) {
  await download(user, 'install.sh');
  await user.script('sh install.sh');
  await judge(user, '"$HOME/.local/bin/sitegate"');
  const output = await user.script('sed "s/^\\(sums=.\\)................/\\10000000000000000/" install.sh | sh', 1);
  if (!output.includes('does not have the checksum')) throw new Error(`a wrong checksum was accepted:\n${output}`);
}

/** @param {User} user */
async function byDeb(user) {
  const file = `sitegate_${user.version}_${process.arch === 'arm64' ? 'arm64' : 'amd64'}.deb`;
  await download(user, file);
  await user.script(`mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info && touch root/var/lib/dpkg/status
    dpkg --root="$PWD/root" --force-script-chrootless --install ${file}`);
  await judge(user, 'root/usr/bin/sitegate');
  await user.script('gzip -dc root/usr/share/man/man1/sitegate.1.gz | grep -q "^.TH sitegate" && bash -n root/usr/share/bash-completion/completions/sitegate');
}

/** @param {User} user */
async function byRpm(user) {
  const file = `sitegate-${user.version}-1.${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.rpm`;
  await download(user, file);
  await user.script(`rpm --query --info --package ${file} | grep -q "^License *: MIT"`);
  await user.script(`rpm --root "$PWD/root" --dbpath /db --nodeps --ignorearch --install ${file}`);
  await judge(user, 'root/usr/bin/sitegate');
}

/** @param {User} user */
async function byNpx(user) {
  user.env['NPM_CONFIG_REGISTRY'] = user.npm;
  await judge(user, 'npx --yes sitegate');
}

/** @param {User} user */
async function byPip(user) {
  await user.script('python3 -m venv python && python/bin/pip install --quiet --no-index --find-links "$LAB_FORGE/pypi" sitegate');
  await judge(user, 'python/bin/sitegate');
  await judge(user, 'python/bin/python -m sitegate');
}

/** Sphinx and MkDocs fail the build on the source line of a broken link. @param {User} user */
async function byPlugins(user) {
  await user.script('python3 -m venv python && python/bin/pip install --quiet sphinx mkdocs && python/bin/pip install --quiet --no-index --find-links "$LAB_FORGE/pypi" sitegate');
  const files = {
    'sphinx/conf.py': 'project = "x"\nextensions = ["sitegate.sphinx"]\nhtml_theme = "basic"\nhtml_sidebars = {"**": []}\n',
    'sphinx/index.rst': 'Title\n=====\n\n`text <LINK>`__\n',
    'mkdocs/mkdocs.yml': 'site_name: x\nsite_url: https://www.example.com/docs/\nplugins: [sitegate]\n',
    'mkdocs/docs/index.md': '# Title\n\n[text](LINK)\n',
  };
  for (const [link, status] of /** @type {[string, number][]} */ ([['#title', 0], ['gone.html', 1]])) {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(user.folder, file, '..'), { recursive: true });
      writeFileSync(join(user.folder, file), text.replace('LINK', link));
    }
    const sphinx = await user.script('python/bin/sphinx-build -q -E sphinx sphinx-out', status === 0 ? 0 : 2);
    const mkdocs = await user.script('python/bin/mkdocs build --quiet --config-file mkdocs/mkdocs.yml', status);
    if (status === 1 && !(sphinx.includes('sphinx/index.rst:4') && mkdocs.includes('mkdocs/docs/index.md:3'))) throw new Error(`the source line of the fault is missing:\n${sphinx}${mkdocs}`);
  }
}

/** Installs from the packaged crates and the crates that they need, instead of the registry. @param {User} user */
async function byCargo(user) {
  const { root } = user.rehearsal;
  await user.script(`cargo vendor --quiet --locked --versioned-dirs --manifest-path "${root}/Cargo.toml" "$PWD/registry" > /dev/null
    for crate in "$LAB_FORGE"/crates/*.crate; do
      tar -xzf "$crate" -C registry
      name=$(basename "$crate" .crate)
      printf '{"files":{},"package":"%s"}' "$(sha256sum "$crate" | cut -d" " -f1)" > "registry/$name/.cargo-checksum.json"
    done
    printf '[source.crates-io]\\nreplace-with = "folder"\\n[source.folder]\\ndirectory = "%s"\\n' "$PWD/registry" > cargo.toml`);
  // `cargo install` reads no configuration of its folder.
  await user.script('env -u RUSTUP_TOOLCHAIN CARGO_TARGET_DIR="$LAB_TARGET" cargo install --config cargo.toml --quiet --locked --root installed $LAB_INSTALL sitegate');
  await judge(user, 'installed/bin/sitegate');
}

/** @param {User} user */
async function byAction(user) {
  const { rehearsal, folder, log } = user;
  // GitHub downloads an action without its history.
  const action = join(folder, 'action');
  await user.script(`git clone --quiet --no-local "${rehearsal.root}" action && rm -rf action/.git`);
  for (const file of ['action.yml', 'scripts/fetch.sh']) cpSync(join(rehearsal.root, file), join(action, file));
  const use = (/** @type {string} */ site, /** @type {Record<string, string>} */ inputs = {}) =>
    runAction(rehearsal, action, { workspace: folder, temporary: join(folder, `temporary-${site}`), log, inputs: { directory: site, ...inputs } });
  const good = await use('good', { args: '--quiet\n--all', seal: 'seal.json' });
  const bad = await use('bad');
  const outputs = JSON.stringify([good.outputs, bad.outputs]);
  if (!good.isRight || good.outputs['passed'] !== 'true') throw new Error(`the action failed a good site: ${outputs}`);
  if (bad.isRight || bad.outputs['passed'] !== 'false' || bad.outputs['errors'] !== '1') throw new Error(`the action passed a bad site: ${outputs}`);
  if (!bad.summary.includes('broken-link')) throw new Error('the summary does not have the fault');
  const sarif = JSON.parse(readFileSync(join(folder, bad.outputs['sarif'] ?? ''), 'utf8'));
  if (sarif.runs[0].results.length !== 1) throw new Error('the SARIF file does not have the fault');
  if (!readFileSync(log, 'utf8').includes('::error')) throw new Error('there is no annotation');
  // Later steps find the program on the PATH.
  await run(['sitegate', 'check', 'bad', '--write-baseline', 'known.json'], { cwd: folder, env: bad.env, log });
  const known = await use('bad', { baseline: 'known.json' });
  if (!known.isRight || known.outputs['errors'] !== '0') throw new Error(`the action ignored the baseline: ${JSON.stringify(known.outputs)}`);
  const reviewed = await use('bad', { 'review-base': 'good' });
  const review = readFileSync(join(folder, 'review/review.md'), 'utf8');
  if (!reviewed.summary.includes(review)) throw new Error('the summary does not have the review');
  await commentOn(rehearsal, { action: join(action, 'comment'), review, log });
}

/**
 * Posts a review as the comment of a pull request.
 *
 * @param {Rehearsal} rehearsal
 * @param {{ action: string, review: string, log: string }} comment
 */
async function commentOn(rehearsal, { action, review, log }) {
  const artifact = join(rehearsal.work, 'artifacts/review');
  mkdirSync(artifact, { recursive: true });
  writeFileSync(join(artifact, 'review.md'), review);
  const built = { id: 1, head_sha: rehearsal.github['sha'], head_branch: 'change', head_repository: { owner: { login: 'fork' } } };
  const event = { ...rehearsal, github: { ...rehearsal.github, event_name: 'workflow_run', event: { workflow_run: built } } };
  const { isRight } = await runAction(event, action, { workspace: rehearsal.work, temporary: join(rehearsal.work, 'comment'), log, inputs: {} });
  if (!isRight) throw new Error('the action did not comment');
  const calls = readFileSync(join(rehearsal.forge, 'gh.log'), 'utf8');
  if (!calls.includes('--method POST repos/OWNER/sitegate/issues/12/comments')) throw new Error(`there is no comment:\n${calls}`);
}

/** @param {User} user */
async function byPreCommit(user) {
  const { rehearsal, version, script } = user;
  await script(`python3 -m venv python && python/bin/pip install --quiet pre-commit
    git clone --quiet --bare "${rehearsal.root}" hooks.git
    git --git-dir hooks.git tag --force v${version} HEAD
    git config --global url."file://$PWD/hooks.git".insteadOf https://github.com/OWNER/sitegate
    git config --global user.name x && git config --global user.email x@example.com
    git init --quiet repository && cp -r good repository/dist`);
  const config = `repos:\n  - repo: https://github.com/OWNER/sitegate\n    rev: v${version}\n    hooks:\n      - id: sitegate\n        args: [dist]\n`;
  writeFileSync(join(user.folder, 'repository/.pre-commit-config.yaml'), config);
  await script('cd repository && git add . && git commit --quiet --message x && ../python/bin/pre-commit run --all-files');
  const output = await script('cd repository && cp ../bad/index.html dist/ && git add . && ../python/bin/pre-commit run --all-files', 1);
  if (!output.includes('error[broken-link]')) throw new Error(`the hook did not find the fault:\n${output}`);
  if (output.includes('building it instead')) throw new Error('the hook built the program instead of fetching it');
}

/** The program of this machine may need its libraries, which the image does not have. @param {User} user */
async function byImage(user) {
  user.env['STORAGE_DRIVER'] = 'vfs';
  const volumes = ['/lib', '/lib64'].filter((path) => existsSync(path)).map((path) => `--volume ${path}:${path}:ro`).join(' ');
  await user.script(`container=$(buildah from "oci:$LAB_FORGE/image:latest")
    buildah run --isolation chroot ${volumes} --volume "$PWD:/site:ro" "$container" -- /sitegate check good
    status=0
    buildah run --isolation chroot ${volumes} --volume "$PWD:/site:ro" "$container" -- /sitegate check bad || status=$?
    buildah rm "$container" > /dev/null
    [ "$status" = 1 ]`);
}

/** The files of package managers name files of the release, with their checksums. @param {User} user */
async function byManifests(user) {
  for (const file of ['sitegate.rb', 'sitegate.json', 'OWNER.sitegate.installer.yaml', 'install.ps1', 'SHA256SUMS', 'sitegate.schema.json']) await download(user, file);
  const sums = readFileSync(join(user.folder, 'SHA256SUMS'), 'utf8');
  const formula = readFileSync(join(user.folder, 'sitegate.rb'), 'utf8');
  const { architecture } = JSON.parse(readFileSync(join(user.folder, 'sitegate.json'), 'utf8'));
  const named = [...formula.matchAll(/url "(.+)"\n +sha256 "(.+)"/gu)].map(([, url = '', sum = '']) => ({ url, hash: sum }));
  const installer = readFileSync(join(user.folder, 'OWNER.sitegate.installer.yaml'), 'utf8');
  const winget = { url: /InstallerUrl: (.+)/u.exec(installer)?.[1] ?? '', hash: /InstallerSha256: (.+)/u.exec(installer)?.[1]?.toLowerCase() };
  const script = readFileSync(join(user.folder, 'install.ps1'), 'utf8');
  const powershell = { url: /\$archive = '(.+)'/u.exec(script)?.[1] ?? '', hash: /\$sum = '(.+)'/u.exec(script)?.[1] };
  for (const { url, hash } of [...named, architecture['64bit'], winget, powershell]) {
    if (!sums.includes(`${hash}  ${url.split('/').at(-1)}\n`)) throw new Error(`${url} does not have the checksum ${hash}`);
  }
  if (named.length !== 4) throw new Error('the formula does not have four archives');
  await user.script('if command -v ruby > /dev/null; then ruby -c sitegate.rb; fi');
  const version = JSON.parse(readFileSync(join(user.folder, 'sitegate.schema.json'), 'utf8')).$id;
  if (!version.includes(`/v${user.version}/`)) throw new Error(`the $id of the schema is ${version}`);
}

/** Runs the job of the template with gitlab-ci-local, without its image. @param {User} user */
async function byGitlab(user) {
  await download(user, 'gitlab.yml');
  // The program that runs jobs comes from the public registry, and sitegate from ours.
  await user.script('npm install --silent --no-audit --no-fund --prefix tools gitlab-ci-local@4.70.0');
  user.env['NPM_CONFIG_REGISTRY'] = user.npm;
  await user.script('git init --quiet . && git config user.name x && git config user.email x@example.com && git remote add origin https://gitlab.example/x/x.git');
  for (const [site, status] of /** @type {[string, number][]} */ ([['good', 0], ['bad', 1]])) {
    writeFileSync(join(user.folder, '.gitlab-ci.yml'), `include:\n  - local: gitlab.yml\n    inputs: { directory: ${site}, args: --all }\n`);
    await user.script('git add .gitlab-ci.yml gitlab.yml good bad && git commit --quiet --message x');
    const output = await user.script('tools/node_modules/.bin/gitlab-ci-local --force-shell-executor --no-artifacts-to-source sitegate', status);
    if (status === 1 && !output.includes('error[broken-link]')) throw new Error(`the job did not find the fault:\n${output}`);
  }
  await download(user, 'gitlab-review.yml');
  writeFileSync(join(user.folder, '.gitlab-ci.yml'), 'include:\n  - local: gitlab-review.yml\n    inputs: { directory: good }\n');
  await user.script('git add .gitlab-ci.yml gitlab-review.yml && git commit --quiet --message x && git branch --move --force main');
  const variables = '--variable CI_PIPELINE_SOURCE=merge_request_event --variable CI_MERGE_REQUEST_PROJECT_ID=7';
  await user.script(`tools/node_modules/.bin/gitlab-ci-local --force-shell-executor ${variables} sitegate-review`);
  const review = readFileSync(join(user.folder, 'review.md'), 'utf8');
  if (!review.includes('no earlier build')) throw new Error(`the job did not write the review of a first run:\n${review}`);
}

/** @param {User} user */
async function byMise(user) {
  await user.script('npm install --silent --no-audit --no-fund --prefix tools @jdxcode/mise@2026.9.15');
  user.env['NPM_CONFIG_REGISTRY'] = user.npm;
  user.env['MISE_YES'] = '1';
  await user.script(`tools/node_modules/.bin/mise use npm:sitegate@${user.version}`);
  await judge(user, 'tools/node_modules/.bin/mise exec -- sitegate');
}

/** Each way to install, and what is replaced in it. @type {Record<string, [way: (user: User) => Promise<void>, ...replaced: string[]]>} */
const ways = {
  'archive, with checksum and attestation': [byArchive, 'gh attestation verify: a list of digests'],
  'install.sh': [byInstaller, 'curl: the folder of the release'],
  'Debian package': [byDeb],
  'RPM package': [byRpm],
  'npx sitegate': [byNpx, 'the registry: one on this machine'],
  'pip install sitegate': [byPip, 'the registry: a folder of wheels'],
  'Sphinx extension and MkDocs plugin': [byPlugins],
  'Homebrew, Scoop, winget, install.ps1 and the schema': [byManifests, 'brew, scoop, winget, PowerShell: a comparison of checksums'],
  'GitLab template': [byGitlab, 'GitLab: gitlab-ci-local, without the image'],
  mise: [byMise, 'the registry: one on this machine'],
  'container image': [byImage, "libraries: this machine's, for a program that is not static"],
  'GitHub action': [byAction, 'gh, curl: as above'],
  'pre-commit hook': [byPreCommit, 'GitHub: a bare clone'],
  'cargo install sitegate': [byCargo, 'the registry: a folder of crates'],
};

/**
 * Lets each user install the release, and returns a row for each.
 *
 * @param {Rehearsal} rehearsal
 * @param {{ version: string, npm: string, only: string[] }} options
 * @returns {Promise<Row[]>}
 */
export async function installAsUsers(rehearsal, { version, npm, only }) {
  /** @type {Row[]} */
  const rows = [];
  for (const [name, [way, ...replaced]] of Object.entries(ways).filter(([title]) => only.length === 0 || only.some((part) => title.includes(part)))) {
    const folder = join(rehearsal.work, `user-${name.replaceAll(/\W+/gu, '-')}`);
    const log = `${folder}.log`;
    for (const [site, link] of [['good', '/'], ['bad', '/gone']]) {
      mkdirSync(join(folder, site ?? ''), { recursive: true });
      writeFileSync(join(folder, site ?? '', 'index.html'), page(link ?? ''));
    }
    const env = { ...environmentOf(join(folder, 'home')), ...rehearsal.env };
    const script = async (/** @type {string} */ text, status = 0) => {
      const ended = await run(['bash', '-e', '-c', text], { cwd: folder, env, log });
      if (ended.status !== status) throw new Error(`\`${text}\` exited with ${ended.status}, not ${status}\n${ended.output}`);
      return ended.output;
    };
    const failure = await way({ folder, env, log, rehearsal, version, npm, script }).then(() => undefined, (error) => error);
    if (failure !== undefined) writeFileSync(log, `${failure.stack}\n`, { flag: 'a' });
    const verdict = failure === undefined ? 'passed' : 'FAILED';
    console.log(`${verdict.padEnd(7)} user: ${name}`);
    rows.push({ workflow: 'A fresh user', job: name, verdict, replaced, log });
  }
  return rows;
}
