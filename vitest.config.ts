// Five test projects: unit tests next to the code and the documentation, the npm packages, and, on the built export, its contract,
// Chromium, and the other browser engines.
import { defineConfig } from 'vitest/config';
import base from './site/content/site.json' with { type: 'json' };

// The groups run one after the other, so that none disturbs the browser's clock. The files of a worker share their imports and its
// connection to the browser.
const group = (groupOrder: number) => ({ sequence: { groupOrder }, isolate: false, maxWorkers: 2 });

// A new object for each project: vitest empties the one it is given.
const define = () => ({ __SETTINGS__: JSON.stringify(base) });

/** A project of tests in browsers. */
const browser = (name: string, groupOrder: number, include: string[]) => ({
  define: define(),
  test: {
    name,
    ...group(groupOrder),
    include,
    exclude: ['site/tests/{contract,headers}.test.ts'],
    globalSetup: 'site/tests/setup.ts',
    // A slow machine is no fault of the site.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    // Node.js 20 has WebSocket, which drives Firefox, only with this option.
    execArgv: typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [],
  },
});

export default defineConfig({
  test: {
    projects: [
      { define: define(), test: { name: 'unit', ...group(0), include: ['site/{content,components,renderer}/**/*.test.ts', 'docs/.vitepress/pages/*.test.ts'] } },
      { test: { name: 'packages', ...group(0), include: ['packages/tests/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'contract', ...group(0), include: ['site/tests/{contract,headers}.test.ts'], testTimeout: 20_000 } },
      browser('browser', 1, ['site/tests/**/*.test.ts']),
      // Needs Firefox and WebKitGTK, and takes longer than all other tests.
      browser('engines', 2, ['site/tests/engines.test.ts']),
    ],
  },
});
