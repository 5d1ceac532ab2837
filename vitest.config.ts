// Two kinds of tests: unit tests beside the code, and browser tests on the finished export.
import { defineConfig } from 'vitest/config';
import base from './site/content/site.json' with { type: 'json' };

// A new object for each project: vitest empties the one it is given.
const define = () => ({ __SETTINGS__: JSON.stringify(base) });

export default defineConfig({
  test: {
    projects: [
      { define: define(), test: { name: 'unit', include: ['site/{content,components,renderer}/**/*.test.ts'] } },
      {
        define: define(),
        test: {
          name: 'browser',
          include: ['site/tests/**/*.test.ts'],
          globalSetup: 'site/tests/setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
