// Builds the site for other brands, with the longest and the rarest names that the settings accept: each must pass the contract.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { permissions } from '../../scripts/run.mjs';
import { serve } from '../../scripts/serve.mjs';
import { firstVisit } from './browser.ts';
import { sitegate, top } from './sitegate.ts';

const run = promisify(execFile);

/** A brand, and the letters of its name that are in fonts of their own. */
const brands: readonly { readonly env: NodeJS.ProcessEnv; readonly rare: string }[] = [
  { env: { SITE_NAME: 'Böhm & Söhne Savings' }, rare: 'ö' },
  {
    env: {
      SITE_NAME: 'Society for the Diminution of Invoices, Bills and Receipts',
      SITE_ORIGIN: `https://${'long.'.repeat(40)}example.org`,
      SITE_DEMO_URL: `https://calendar.example.org/book?with=${'someone+'.repeat(60)}&on=any`,
      SITE_EMAIL_LEGAL: `${'legal.'.repeat(30)}@example.org`,
    },
    rare: '',
  },
  { env: { SITE_NAME: 'Zażółć Gęślą Jaźń, Łódź – ÅÄÖ ÆØ Ñandú Ÿ Čapek Şahin Erdős' }, rare: 'żółćęślą' },
  { env: { SITE_NAME: "日本の節約 🧾 O'Neill" }, rare: '' },
];
const tested = process.env['SITEGATE_TESTS'] === 'complete' ? brands : brands.slice(0, 1);

/** Expects the name in the header, the preloaded fonts of its rare letters, and these letters in them. */
async function expectOwnFonts(origin: string, name: string, rare: string): Promise<void> {
  const { page, close } = await firstVisit('/robots.txt');
  await page.goto(origin);
  const logo = page.locator('header a').first();
  expect(await logo.textContent()).toContain(name);
  expect((await page.locator('link[rel=preload][href*="-latin"]').count()) > 0).toBe(rare !== '');
  // Fonts that came too late for the first view are used in the next one.
  await page.reload();
  await logo.evaluate(async (link, text) => {
    await document.fonts.ready;
    link.replaceChildren(Object.assign(document.createElement('b'), { id: 'rare', textContent: `B${text}` }));
  }, rare);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: -1 });
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#rare' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  expect(fonts.filter(({ isCustomFont }) => !isCustomFont)).toEqual([]);
  await close();
}

for (const { env, rare } of tested) {
  test(`the site of ${env['SITE_NAME']} passes the contract, and its name is set in the fonts of the site`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'brand-'));
    try {
      for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'sitegate.toml', 'scripts', 'site']) {
        await cp(join(top, name), join(folder, name), { recursive: true, filter: (path) => !path.startsWith(join(top, 'site', 'dist')) });
      }
      await symlink(join(top, 'node_modules'), join(folder, 'node_modules'), 'junction');
      const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8 };
      await run(process.execPath, ['scripts/build.mjs'], options);
      const { stdout } = await run(sitegate, ['check', '--format', 'json', ...permissions], options).catch((failed: { stdout: string }) => failed);
      const { findings } = JSON.parse(stdout) as { findings: { rule: string; message: string }[] };
      expect(findings.filter(({ rule }) => rule !== 'placeholder').map(({ message }) => message)).toEqual([]);

      const server = await serve(sitegate, folder);
      try {
        await expectOwnFonts(server.origin, env['SITE_NAME'] ?? '', rare);
      } finally {
        server.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 240_000);
}
