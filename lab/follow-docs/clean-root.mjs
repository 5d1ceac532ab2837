// A clean root: the system's programs, a new user with an empty home folder, and nothing else of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user that follows the documents. */
const reader = 1000;
export const home = '/home/reader';

/**
 * Runs a command that must succeed.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function must(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}\n${stdout}${stderr}`);
  return stdout.trim();
}

export class CleanRoot {
  /** @param {string} path - An empty folder. */
  constructor(path) {
    this.path = path;
    /** @type {string[]} Folders of programs besides those of the system. */
    this.programs = [];
    /** @type {string[]} */
    this.mounts = [];
    for (const folder of ['bin', 'lib', 'lib64', 'sbin']) {
      if (existsSync(`/${folder}`)) must('cp', ['-a', `/${folder}`, path]);
    }
    for (const folder of ['usr', 'etc/ssl', 'etc/alternatives', 'proc']) this.bind(`/${folder}`);
    this.createDevices();
    mkdirSync(join(path, 'tmp'));
    chmodSync(join(path, 'tmp'), 0o1777);
    for (const file of ['/etc/resolv.conf', '/etc/ld.so.cache', '/etc/localtime']) {
      if (existsSync(file)) copyFileSync(file, join(path, file));
    }
    this.write('/etc/passwd', `root:x:0:0::/:/bin/sh\nreader:x:${reader}:${reader}::${home}:/bin/bash\n`);
    this.write('/etc/nsswitch.conf', 'hosts: files dns\n');
    this.write('/etc/hosts', '127.0.0.1 localhost www.example.com\n');
    mkdirSync(join(path, home, '.cargo', 'bin'), { recursive: true });
  }

  /**
   * Shows a folder of this machine at the same path, read-only; or at another path, for the reader to write to.
   *
   * @param {string} folder
   * @param {string} [writable] - The other path.
   */
  bind(folder, writable) {
    const target = join(this.path, writable ?? folder);
    mkdirSync(target, { recursive: true });
    must('mount', ['--bind', folder, target]);
    this.mounts.push(target);
    if (writable === undefined && folder !== '/proc') must('mount', ['-o', 'remount,bind,ro', target]);
  }

  createDevices() {
    const devices = join(this.path, 'dev');
    mkdirSync(devices);
    must('mount', ['-t', 'tmpfs', 'tmpfs', devices]);
    this.mounts.push(devices);
    const numbers = { null: 3, zero: 5, random: 8, urandom: 9 };
    for (const [name, minor] of Object.entries(numbers)) must('mknod', ['-m', '666', join(devices, name), 'c', '1', `${minor}`]);
    symlinkSync('/proc/self/fd', join(devices, 'fd'));
  }

  /** Removes the root. It unmounts first, so that no file of this machine is removed. */
  remove() {
    this.mounts.toReversed().forEach((folder) => must('umount', [folder]));
    rmSync(this.path, { recursive: true });
  }

  /**
   * Adds a folder of programs to the PATH, with the folder above it.
   *
   * @param {string} bin
   */
  addPrograms(bin) {
    if (!bin.startsWith('/usr/')) this.bind(dirname(bin));
    this.programs.push(bin);
  }

  /**
   * @param {string} file
   * @param {string} text
   */
  write(file, text) {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  /**
   * Copies a folder or file of this machine.
   *
   * @param {string} from
   * @param {string} to
   */
  copy(from, to) {
    mkdirSync(dirname(join(this.path, to)), { recursive: true });
    cpSync(from, join(this.path, to), { recursive: true, preserveTimestamps: true }); // cargo compares times
  }

  /** Makes the user the owner of all files in the home folder. */
  own() {
    must('chown', ['-R', '-h', `${reader}:${reader}`, join(this.path, home)]);
  }

  /**
   * Runs a line of a script.
   *
   * @param {string} line
   * @param {{ folder: string, env: Record<string, string>, input?: string, network?: number }} options - `network`: a process in
   *   the network to use; the default is that of this machine.
   */
  run(line, { folder, env, input = '', network }) {
    const programs = [`${home}/.cargo/bin`, ...this.programs, '/usr/local/bin', '/usr/bin', '/bin'];
    const variables = { HOME: home, USER: 'reader', LANG: 'C.UTF-8', PATH: programs.join(':'), COLUMNS: '75', NO_COLOR: '1', ...env };
    const enter = network === undefined ? [] : ['nsenter', `--net=/proc/${network}/ns/net`];
    const jail = ['chroot', `--userspec=${reader}:${reader}`, this.path, 'env', '-i', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
    const [command = '', ...args] = [...enter, ...jail, 'bash', '-o', 'pipefail', '-c', `cd ${folder} && ${line}`];
    const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
    if (error) throw error;
    return { status, stdout, stderr };
  }
}

/** Creates a network that has the local machine only, and returns a process in it. */
export function localNetwork() {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo ready && exec sleep infinity'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    holder.stdout.once('data', () => resolve(holder));
    holder.once('exit', (code) => reject(new Error(`unshare --net exited with ${code}`)));
  });
}
