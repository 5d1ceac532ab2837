// Drives a window of each installed browser engine: Chromium with Playwright, the released Firefox with WebDriver BiDi, and
// WebKitGTK, the engine of Safari, with WebDriver. Playwright supports neither of the latter two as Debian packages them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';

/** Keys, and their codes in WebDriver. */
const keys = { Escape: '\uE00C', Enter: '\uE007', ArrowDown: '\uE015' };

/** A window of a browser. Expressions give a string. */
export interface Driver {
  readonly open: (url: string) => Promise<unknown>;
  readonly resize: (width: number, height: number) => Promise<unknown>;
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly click: (x: number, y: number) => Promise<unknown>;
  readonly press: (key: keyof typeof keys) => Promise<unknown>;
  readonly quit: () => Promise<unknown>;
}

/** A browser engine: whether it is installed, how to install it, and how to start it. Plain is without JavaScript and with
 * reduced motion. */
export interface Engine {
  readonly name: string;
  readonly installed: boolean;
  readonly packages: string;
  readonly start: (chromium: () => Promise<Browser>, plain: boolean) => Promise<Driver>;
}

/** Returns the path of the first program that is installed. */
function find(...programs: string[]): string | undefined {
  const paths = programs.flatMap((program) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program)));
  return paths.find((path) => existsSync(path));
}

/** Returns the input of a click and of a key, which both WebDriver protocols have in the same form. */
const input = (perform: (actions: object[]) => Promise<unknown>): Pick<Driver, 'click' | 'press'> => ({
  click: (x, y) =>
    perform([{ type: 'pointer', id: 'mouse', actions: [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] }]),
  press: (key) => perform([{ type: 'key', id: 'keyboard', actions: [{ type: 'keyDown', value: keys[key] }, { type: 'keyUp', value: keys[key] }] }]),
});

async function startChromium(chromium: () => Promise<Browser>, plain: boolean): Promise<Driver> {
  const page = await (await chromium()).newPage(plain ? { javaScriptEnabled: false, reducedMotion: 'reduce' } : {});
  return {
    open: (url) => page.goto(url),
    resize: (width, height) => page.setViewportSize({ width, height }),
    evaluate: (expression) => page.evaluate(expression),
    click: (x, y) => page.mouse.click(x, y),
    press: (key) => page.keyboard.press(key),
    quit: () => page.close(),
  };
}

/** An answer of WebDriver BiDi. */
interface Answer {
  readonly id?: number;
  readonly message?: string;
  readonly result?: { readonly context: string; readonly result?: { readonly value: unknown }; readonly exceptionDetails?: { readonly text: string } };
}

const firefox = find('firefox-esr', 'firefox');

async function startFirefox(_: unknown, plain: boolean): Promise<Driver> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  await writeFile(join(profile, 'user.js'), plain ? 'user_pref("javascript.enabled", false);\nuser_pref("ui.prefersReducedMotion", 1);\n' : '');
  const browser = spawn(firefox ?? '', ['--headless', '--remote-debugging-port=0', '--profile', profile], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(browser, 'exit');
  let endpoint: string | undefined;
  const lines = createInterface(browser.stderr);
  for await (const line of lines) if ((endpoint = /BiDi listening on (\S+)/.exec(line)?.[1]) !== undefined) break;
  browser.stderr.resume();
  const socket = new WebSocket(`${endpoint}/session`);
  await once(socket, 'open');
  const waiting = new Map<number | undefined, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(data) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  const send = (method: string, params: object): Promise<NonNullable<Answer['result']>> =>
    new Promise((done, fail) => {
      const id = waiting.size + 1;
      waiting.set(id, ({ result, message }) => (result === undefined ? fail(new Error(`${method}: ${message}`)) : done(result)));
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send('session.new', { capabilities: {} });
  // The focus of a new tab is in its page, and that of the first tab in the address bar.
  const { context } = await send('browsingContext.create', { type: 'tab' });
  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await send('script.evaluate', { target: { context }, expression, awaitPromise: false });
      if (result === undefined) throw new Error(`${expression}: ${exceptionDetails?.text}`);
      return result.value;
    },
    ...input((actions) => send('input.performActions', { context, actions })),
    quit: async () => {
      await send('browser.close', {});
      await exit;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

async function startWebKit(_: unknown, plain: boolean): Promise<Driver> {
  const port = await freePort();
  const settings = await mkdtemp(join(tmpdir(), 'webkit-'));
  await mkdir(join(settings, 'gtk-3.0'));
  await writeFile(join(settings, 'gtk-3.0/settings.ini'), `[Settings]\ngtk-enable-animations=${!plain}\n`);
  // The server ends with its input, and so with this process, too.
  const script = 'WebKitWebDriver --port="$0" & cat; kill $!';
  const server = spawn('xvfb-run', ['--auto-servernum', 'sh', '-c', script, `${port}`], { stdio: ['pipe', 'ignore', 'ignore'], env: { ...process.env, XDG_CONFIG_HOME: settings } });
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  for (let tries = 100; ; tries -= 1) {
    const ready = await request('GET', '/status').catch((error: unknown) => error);
    if (!(ready instanceof Error)) break;
    if (tries === 0) throw ready;
    await new Promise((done) => setTimeout(done, 100));
  }
  const options = { 'webkitgtk:browserOptions': { args: ['--automation', `--enable-javascript=${!plain}`] } };
  const { sessionId } = (await request('POST', '/session', { capabilities: { alwaysMatch: options } })) as { sessionId: string };
  const send = (path: string, body: object) => request('POST', `/session/${sessionId}${path}`, body);
  return {
    open: (url) => send('/url', { url }),
    resize: (width, height) => send('/window/rect', { width, height }),
    evaluate: (expression) => send('/execute/sync', { script: `return ${expression}`, args: [] }),
    ...input((actions) => send('/actions', { actions })),
    quit: async () => {
      await request('DELETE', `/session/${sessionId}`);
      server.stdin.end();
      await once(server, 'exit');
      await rm(settings, { recursive: true });
    },
  };
}

/** The engines of all major browsers. */
const engines: readonly Engine[] = [
  { name: 'Chromium', installed: true, packages: 'chromium', start: startChromium },
  { name: 'Firefox', installed: firefox !== undefined, packages: 'firefox-esr', start: startFirefox },
  { name: 'WebKitGTK', installed: find('WebKitWebDriver') !== undefined && find('xvfb-run') !== undefined, packages: 'webkit2gtk-driver xvfb xauth', start: startWebKit },
];

/** The engines of a test project: `browser` has Chromium, and `engines` has the other ones, which take longer than all other tests. */
export const enginesOf = (project: string): readonly Engine[] => engines.filter(({ name }) => (name === 'Chromium') === (project === 'browser'));
