// Tests the important behaviors in Chromium, and in the project `engines` in Firefox and WebKitGTK if they are installed:
// hydration, menus, the bar of phones, the visitor's bill, sample requests, the contents of legal pages, the 404 page, and
// all pages without JavaScript.
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { interactiveRoutes, routes } from '#content/routes.ts';
import { browser } from './browser.ts';
import { enginesOf, type Driver } from './engines.ts';
import { hiddenWords } from './hidden-words.ts';

// WebKitGTK's browser has a minimum width of 447 px.
const phone: readonly [number, number] = [480, 800];
const wide: readonly [number, number] = [1280, 800];

/** Runs a function in the page. Its result must be JSON. */
async function run<Args extends unknown[], Result>(driver: Driver, code: (...args: Args) => Result, ...args: Args): Promise<Result> {
  return JSON.parse(String(await driver.evaluate(`JSON.stringify((${code})(...${JSON.stringify(args)})) ?? "null"`))) as Result;
}

const isShown = (selector: string) => document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) === true;
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
const scrollTo = (top: number) => window.scrollTo({ top, behavior: 'instant' });
const openRequests = () => [...document.querySelectorAll<HTMLDetailsElement>('details[name="request"]')].map(({ open }) => open);
const overflow = () => document.documentElement.scrollWidth - window.innerWidth;

/** Records the errors of the page from now on. */
function record(): void {
  const errors: string[] = [];
  Object.assign(window, { recorded: errors });
  window.addEventListener('error', ({ message }) => errors.push(message));
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => errors.push(`${violatedDirective}: ${blockedURI}`));
  console.error = (...words) => errors.push(words.join(' '));
}

/** Clicks into the center of the first element with the selector, and optionally a text, as a visitor does. */
async function click(driver: Driver, selector: string, text = ''): Promise<void> {
  const center = await run(
    driver,
    (wanted, words) => {
      const element = [...document.querySelectorAll(wanted)].find(({ textContent }) => textContent?.includes(words));
      element?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const box = element?.getBoundingClientRect();
      return box === undefined ? undefined : ([Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] as const);
    },
    selector,
    text,
  );
  if (!center) throw new Error(`no ${selector} with "${text}"`);
  await driver.click(...center);
}

for (const { name, start } of enginesOf(inject('project')).filter(({ installed }) => installed)) {
  describe(name, () => {
    for (const plain of [false, true]) {
      describe(plain ? 'without JavaScript' : 'with JavaScript', () => {
        let driver: Driver;
        beforeAll(async () => {
          driver = await start(browser, plain);
          return driver.quit;
        });

        /** Opens a page in a window of a size. */
        const open = async (path: string, size = wide) => {
          await driver.open('about:blank');
          await resize(size);
          await driver.open(inject('origin') + path);
          await expect.poll(() => run(driver, () => 'frame' in document.documentElement.dataset), { message: 'the first frames are over' }).toBe(false);
        };
        const resize = async ([width, height]: readonly [number, number]) => {
          await driver.resize(width, height);
          await expect.poll(() => run(driver, () => window.innerWidth)).toBe(width);
        };
        const shown = (selector: string) => expect.poll(() => run(driver, isShown, selector), { message: `${selector} is shown` });
        const focus = () => run(driver, () => document.activeElement?.textContent ?? '');
        (plain ? withoutScripts : withScripts)();

        function withScripts() {
          const hydrated = async () => {
            await run(driver, record);
            await run(driver, () => document.querySelector('header')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })));
            await expect.poll(() => run(driver, () => document.querySelector('[data-menu]') !== null && window.earlyClicks === undefined), { message: 'hydrated' }).toBe(true);
          };
          const errors = () => run(driver, () => (window as unknown as { recorded?: string[] }).recorded);

          test('every page hydrates without an error, and a link opens its page', async () => {
            for (const { path } of interactiveRoutes) {
              await open(path);
              await hydrated();
              expect(await errors(), path).toEqual([]);
            }
            await click(driver, 'header a[href="/"]');
            await expect.poll(() => run(driver, () => window.location.pathname)).toBe('/');
            await expect.poll(() => run(driver, isShown, '#bill')).toBe(true);
          });

          test('the Features menu opens by keys, and Escape gives focus back', async () => {
            await open('/');
            await hydrated();
            await run(driver, () => document.querySelector<HTMLElement>('[data-menu] button')?.focus());
            await driver.press('Enter');
            await shown('#features-menu a').toBe(true);
            await driver.press('ArrowDown');
            await expect.poll(focus).toContain('Prompt optimization');
            await driver.press('Escape');
            await shown('#features-menu a').toBe(false);
            expect(await focus()).toBe('Features');
            expect(await errors()).toEqual([]);
          });

          test('the bar of phones comes when the first demo button is gone, leaves with the closing call, and opens the menu', async () => {
            await open('/', phone);
            await shown('[data-demo-bar]').toBe(false);
            await run(driver, record);
            await run(driver, scrollTo, 2000);
            await shown('[data-demo-bar]').toBe(true);
            await hydrated();
            await shown('[data-demo-bar]').toBe(true);
            await click(driver, '[data-demo-bar] button');
            await shown('[data-phone-menu] nav').toBe(true);
            await driver.press('Escape');
            await shown('[data-phone-menu] nav').toBe(false);
            expect(await focus()).toContain('Menu');
            await run(driver, () => document.querySelector('[data-closing] [data-demo]')?.scrollIntoView({ block: 'end', behavior: 'instant' }));
            await shown('[data-demo-bar]').toBe(false);
            await run(driver, scrollTo, 1e6);
            await shown('[data-demo-bar]').toBe(false);
            await run(driver, scrollTo, 0);
            await shown('[data-demo-bar]').toBe(false);
            expect(await errors()).toEqual([]);
          });

          test("the visitor's bill is in the address, and a sent address shows it", async () => {
            const total = () => run(driver, texts, '#bill figure p ins');
            await open('/');
            await hydrated();
            await click(driver, '#bill button', '$50k');
            await expect.poll(total).toEqual(['Now $30,000']);
            await click(driver, '#bill button', 'Users ask us the same things all day');
            await expect.poll(() => run(driver, () => window.location.hash)).toBe('#bill=50000&without=smart-caching');
            expect(await errors()).toEqual([]);
            await open('/#bill=100000');
            await expect.poll(total).toEqual(['Now $60,000']);
          });

          test('the 404 page links to the home page', async () => {
            await open('/unknown/page');
            expect(await run(driver, texts, 'h1')).toEqual(['Oops! Page not found']);
            await click(driver, 'main a');
            await expect.poll(() => run(driver, () => window.location.pathname)).toBe('/');
          });
        }

        function withoutScripts() {
          test('all text is visible, and no page overflows', async () => {
            for (const path of [...routes.map((route) => route.path), '/unknown']) {
              await open(path);
              for (const size of [wide, phone]) {
                await resize(size);
                expect(await run(driver, hiddenWords), path).toEqual([]);
                expect(await run(driver, overflow), path).toBeLessThanOrEqual(0);
              }
            }
          });

          test('the menu of phones opens, closes, and scrolls away on choice', async () => {
            await open('/', phone);
            await click(driver, 'header button', 'Menu');
            await shown('[data-phone-menu] nav').toBe(true);
            await driver.press('Escape');
            await shown('[data-phone-menu] nav').toBe(false);
            await click(driver, 'header button', 'Menu');
            await click(driver, '[data-phone-menu] a', 'Smart caching');
            await expect.poll(() => run(driver, () => window.location.pathname)).toBe('/smart-caching');
          });

          test('the bill is the sample bill, and one sample request is open at a time', async () => {
            await open('/');
            expect(await run(driver, texts, '#bill figure p ins')).toEqual(['Now $5,040']);
            expect(await run(driver, isShown, '#bill button')).toBe(false);
            for (const index of [1, 4]) {
              await click(driver, `details[name="request"]:nth-of-type(${index + 1}) summary`);
              await expect.poll(() => run(driver, openRequests)).toEqual([0, 1, 2, 3, 4].map((at) => at === index));
              await shown(`details[name="request"]:nth-of-type(${index + 1}) ol`).toBe(true);
            }
          });

          test('the contents bar of a legal page stays at the top, and a choice closes it', async () => {
            const entry = '[data-contents] a[href$="#accounts"]';
            await open('/terms', phone);
            await run(driver, scrollTo, 6000);
            await shown(entry).toBe(false);
            // By position, because `click` may scroll.
            await driver.click(60, 25);
            await shown(entry).toBe(true);
            await driver.click(60, 25);
            await shown(entry).toBe(false);
            expect(await run(driver, () => window.scrollY)).toBe(6000);
            await driver.click(60, 25);
            await shown(entry).toBe(true);
            await click(driver, entry);
            await shown(entry).toBe(false);
            const top = () => run(driver, () => document.querySelector('#accounts h2')?.getBoundingClientRect().top ?? 0);
            await expect.poll(async () => Math.abs((await top()) - 126)).toBeLessThan(74);
          });
        }
      });
    }
  });
}
