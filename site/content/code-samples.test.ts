// Runs each code sample as visitors copy it, with its base URL replaced by that of a server in this test.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCode } from '../tests/new-code.ts';
import { baseUrl, codeSamples, linesIn } from './pages/code-samples.ts';
import { codeTabs } from './pages/code-tabs.ts';

interface Request {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

const requests: Request[] = [];
const reply = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'your-model', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello to you' } }] };

/** An OpenAI-compatible server, as small as the samples need. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url: path, headers } = request;
    requests.push({ method, path, key: headers.authorization, type: headers['content-type'], body: JSON.parse(Buffer.concat(parts).toString()) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
});

/** A folder with the real clients: `npm install openai` and `pip install --target . openai` there. */
const real = process.env['CLIENTS'];
const standIns = fileURLToPath(new URL('../tests/clients', import.meta.url));
let local = '';
const folder = mkdtempSync(join(tmpdir(), 'code-samples-'));
beforeAll(async () => {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  if (real !== undefined) {
    symlinkSync(join(real, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  const own = join(folder, 'node_modules', 'openai');
  cpSync(join(standIns, 'openai.mjs'), join(own, 'index.mjs'));
  writeFileSync(join(own, 'package.json'), '{ "exports": "./index.mjs" }');
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the folder, and returns its output. */
async function output(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PROVIDER_KEY: 'key-of-the-provider', PYTHONPATH: real ?? standIns, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(command, args, { cwd: folder, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
  await new Promise((done) => child.on('close', done));
  return text.trim();
}

const runners: Readonly<Record<string, { readonly command: string; readonly file: string; readonly shown: string }>> = {
  Python: { command: 'python3', file: 'sample.py', shown: 'Hello to you' },
  JavaScript: { command: process.execPath, file: 'sample.mjs', shown: 'Hello to you' },
  // The text of the response; curl also prints its progress.
  curl: { command: 'sh', file: 'sample.sh', shown: JSON.stringify(reply) },
};

test('each sample has its tab', () => {
  expect(codeSamples.map(({ language }) => language)).toEqual(codeTabs.labels);
});

for (const { language, diff } of codeSamples) {
  const { command, file, shown } = runners[language] ?? { command: '', file: '', shown: '' };
  const program = language === 'curl' ? 'curl' : command;
  const isMissing = spawnSync(program, ['--version']).error !== undefined;
  if (isMissing) console.log(`Not tested: the sample for ${language}, which needs ${program}`);
  test.skipIf(isMissing)(`the sample for ${language} sends its request to the new base URL, and prints the answer`, async () => {
    const code = newCode(diff);
    expect(code).toContain(baseUrl);
    writeFileSync(join(folder, file), code.replace(baseUrl, local));
    requests.length = 0;
    expect(await output(command, [file])).toContain(shown);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/v1/chat/completions',
        key: 'Bearer key-of-the-provider',
        type: 'application/json',
        body: { model: 'your-model', messages: [{ role: 'user', content: 'Hello' }] },
      },
    ]);
    // Starting a program takes long on a busy machine.
  }, 30_000);
}

test('each sample has one changed line: the base URL', () => {
  for (const { diff } of codeSamples) {
    const lines = linesIn(diff);
    expect([...new Set(lines.map(({ mark }) => mark))].toSorted()).toEqual([' ', '+', '-']);
    const [before = '', ...others] = lines.filter(({ mark }) => mark === '-').map(({ text }) => text);
    expect(lines.filter(({ mark }) => mark === '+').map(({ text }) => text)).toEqual([before.replace(/https:\/\/.*\/v1/, baseUrl)]);
    expect(others).toEqual([]);
  }
});
