// Starts and stops one server and one browser for all browser tests of a project, and says which engines it tests.
import { access } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, executablePath } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { enginesOf } from './engines.ts';
import { exported, sitegate } from './sitegate.ts';

declare module 'vitest' {
  /** Values for the tests: the name of the test project, the origin of the export, and the endpoint of the browser. */
  export interface ProvidedContext {
    project: string;
    origin: string;
    browser: string;
  }
}

/** Runs before all tests, and returns a function that runs after them. */
export default async function setup(project: TestProject) {
  await access(`${exported}/index.html`).catch(() => {
    throw new Error('There is no export in site/dist/client: run `npm run build` first');
  });
  const own = enginesOf(project.name);
  const used = own.filter(({ installed }) => installed);
  if (used.length === 0) throw new Error(`No engine is installed. Debian has them in ${own.map(({ packages }) => packages).join(' ')}`);
  console.log(`Browser engines of the project ${project.name}: ${used.map(({ name }) => name).join(', ')}`);
  for (const { name, packages } of own.filter((engine) => !used.includes(engine))) console.log(`Not tested: ${name}, which Debian has in ${packages}`);
  if (project.name === 'browser') console.log(`In the project engines: ${enginesOf('engines').map(({ name }) => name).join(', ')}. \`npx vitest run --project engines\` tests them`);
  const server = await serve(sitegate);
  const browser = await chromium.launchServer({ executablePath: await executablePath(), args: chromiumArguments });
  project.provide('project', project.name);
  project.provide('origin', server.origin);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    server.close();
  };
}
