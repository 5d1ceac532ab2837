// Four test projects: unit tests next to the code and the documentation, the npm packages, and, on the built export, its contract and a browser.
import { defineConfig } from 'vitest/config';
import base from './site/content/site.json' with { type: 'json' };

// The groups run one after the other, so that none disturbs the browser's clock.
const group = (groupOrder: number) => ({ sequence: { groupOrder } });

// A new object for each project: vitest empties the one it is given.
const define = () => ({ __SETTINGS__: JSON.stringify(base) });

export default defineConfig({
  test: {
    projects: [
      { define: define(), test: { name: 'unit', ...group(0), include: ['site/{content,components,renderer}/**/*.test.ts', 'docs/.vitepress/pages/*.test.ts'] } },
      { test: { name: 'packages', ...group(0), include: ['packages/tests/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'contract', ...group(1), include: ['site/tests/{contract,headers}.test.ts'], testTimeout: 20_000 } },
      {
        define: define(),
        test: {
          name: 'browser',
          ...group(2),
          include: ['site/tests/**/*.test.ts'],
          exclude: ['site/tests/{contract,headers}.test.ts'],
          globalSetup: 'site/tests/setup.ts',
          // A slow machine is no fault of the site.
          testTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          hookTimeout: 60_000,
          maxWorkers: 2,
          // Node.js 20 has WebSocket, which drives Firefox, only with this option.
          execArgv: typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [],
        },
      },
    ],
  },
});
