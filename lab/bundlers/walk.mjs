// Walks through a site in Chromium: opens each page, clicks each button and link, and records the content after each step.
import { buttons, links, look, press } from './observe.mjs';
import { visit } from './visit.mjs';

/**
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./serve.mjs').Site} Site
 * @typedef {Awaited<ReturnType<typeof visit>>} Tour
 * @typedef {import('./observe.mjs').Kind} Kind
 * @typedef {[kind: Kind, name: string]} Press - What is pressed.
 * @typedef {Record<string, unknown> & { errors: string, url?: string }} Seen - What is seen at a step, by part.
 * @typedef {{ path: string, presses: Press[], seen: Seen[], asked: Set<string | undefined>, ignored?: string[][] }} Trip
 */

/**
 * Milliseconds without requests and changes of the document that end a step: longer if the expected content is unknown.
 */
const { still, stiller } = { still: 150, stiller: 500 };
/** Maximum duration of a step. */
const longest = 5000;
/** Maximum time for a page to match the expected content. */
const patience = 2500;
/** Maximum number of trips of a page, and of clicks of a trip. */
const { mostTrips, mostPresses } = { mostTrips: 40, mostPresses: 3 };

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

/**
 * Runs a function in the page. Returns undefined during navigation.
 *
 * @template T
 * @template [A=void]
 * @param {import('playwright-core').Page | import('playwright-core').Frame} frame
 * @param {(argument: A) => T | Promise<T>} run
 * @param {A} [argument]
 * @returns {Promise<T | undefined>}
 */
const inside = (frame, run, argument) => frame.evaluate(/** @type {(argument: unknown) => T | Promise<T>} */ (run), argument).catch(() => undefined);

/**
 * @param {Tour} tour
 * @param {number} wanted
 */
async function settle({ host, page }, wanted) {
  const start = performance.now();
  while (performance.now() - start < longest) {
    const changed = await inside(page, () => document.readyState === 'complete' && performance.now() - /** @type {import('./observe.mjs').Walked} */ (globalThis).__walk.changed);
    if (typeof changed === 'number' && changed >= wanted && host.quiet() >= wanted) return;
    await pause(30);
  }
}

/**
 * @param {Tour} tour
 * @returns {Promise<Seen>}
 */
async function observe({ page, errors }) {
  const frames = await Promise.all(page.frames().map((frame) => inside(frame, look)));
  return { frames: JSON.stringify(frames.slice(1)), ...frames[0], errors: [...errors].toSorted().join('\n') };
}

/**
 * Returns the parts in which two observations differ.
 *
 * @param {Seen} one
 * @param {Seen} other
 */
function differences(one, other) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((part) => one[part] !== other[part]);
}

/**
 * @param {Tour} tour
 * @param {string} path
 * @param {number} wanted
 */
async function open(tour, path, wanted) {
  await tour.page.goto(tour.host.origin + path, { waitUntil: 'commit' }).catch(() => {});
  await settle(tour, wanted);
  await inside(tour.page, () => {
    scrollTo(0, document.documentElement.scrollHeight);
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => scrollTo(0, 0));
  });
  await settle(tour, wanted);
}

/**
 * Clicks an element and waits. Returns false if it does not exist.
 *
 * @param {Tour} tour
 * @param {Press} what
 * @param {number} wanted
 */
async function act(tour, [kind, name], wanted) {
  await inside(tour.page, kind === 'links' ? links : buttons);
  const pressed = await inside(tour.page, press, [kind, name]);
  await pause(20);
  await settle(tour, wanted);
  return pressed !== false;
}

/**
 * Returns the elements that can be clicked.
 *
 * @param {Tour} tour
 */
async function offered({ page }) {
  /**
   * @param {Kind} kind
   * @param {() => string[]} list
   */
  const named = async (kind, list) => ((await inside(page, list)) ?? []).map((name) => /** @type {Press} */ ([kind, name]));
  return [...(await named('buttons', buttons)), ...(await named('links', links))];
}

/**
 * Makes a trip for the first time. Returns the observations at first and after each click, the requested files, and the
 * elements that can be clicked then.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {string} path
 * @param {Press[]} presses
 */
async function first(browser, site, path, presses) {
  const tour = await visit(browser, site);
  await open(tour, path, stiller);
  const seen = [await observe(tour)];
  for (const one of presses) {
    await act(tour, one, stiller);
    seen.push(await observe(tour));
  }
  const next = presses.length < mostPresses && seen.at(-1)?.url === seen[0]?.url ? await offered(tour) : [];
  await tour.close();
  return { path, presses, seen, asked: tour.host.log, next };
}

/**
 * Explores a page. Each trip opens the page and clicks one button or link. New elements are clicked on further trips.
 *
 * A trip is `{ path, presses, seen, asked }`.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {string} path
 */
export async function explore(browser, site, path) {
  /** @type {Trip[]} */
  const trips = [];
  const known = new Set();
  /** @type {Press[][]} */
  const ahead = [[]];
  for (let presses = ahead.shift(); presses !== undefined && trips.length < mostTrips; presses = ahead.shift()) {
    const { next, ...trip } = await first(browser, site, path, presses);
    trips.push(trip);
    for (const one of next) {
      if (known.has(one.join())) continue;
      known.add(one.join());
      ahead.push([...trip.presses, one]);
    }
  }
  return trips;
}

/** @param {string | undefined} text */
const lines = (text) => (text === '' || text === undefined ? [] : text.split('\n'));

/**
 * Waits until the page has the expected content, the time is over, or an unexpected error occurs.
 *
 * @param {Tour} tour
 * @param {Seen} expected
 * @param {string[]} ignored
 */
async function against(tour, expected, ignored) {
  const start = performance.now();
  for (;;) {
    const seen = await observe(tour);
    const other = differences(expected, seen).filter((part) => !ignored.includes(part));
    const failed = other.includes('errors') && lines(seen.errors).some((line) => !lines(expected.errors).includes(line));
    if (other.length === 0 || failed || performance.now() - start > patience) return { seen, other };
    await pause(100);
  }
}

/**
 * Repeats a trip and compares the observations. `trip.ignored[step]` has the parts to ignore.
 *
 * `other[step]` has the different parts, up to the first step with any, or of all steps if `whole`.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {Trip} trip
 * @param {boolean} whole
 */
export async function repeat(browser, site, trip, whole = false) {
  const tour = await visit(browser, site);
  const wanted = whole ? stiller : still;
  const seen = [];
  const other = [];
  await open(tour, trip.path, wanted);
  for (const [step, expected] of trip.seen.entries()) {
    const pressed = trip.presses[step - 1];
    const there = pressed === undefined || (await act(tour, pressed, wanted));
    const found = await against(tour, expected, trip.ignored?.[step] ?? []);
    seen.push(found.seen);
    const differing = there ? found.other : ['press', ...found.other];
    other.push(differing);
    if (!whole && differing.length > 0) break;
  }
  await tour.close();
  return { seen, other, asked: tour.host.log };
}
