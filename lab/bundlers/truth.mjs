// Determines which files of an export break the site for visitors, by removing each in turn.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explore, repeat } from './walk.mjs';

/**
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./serve.mjs').Site} Site
 * @typedef {import('./walk.mjs').Trip} Trip
 *
 * The first difference that a missing file causes.
 * @typedef {{ at: string, parts: string[], expected: unknown, seen: unknown }} Break
 *
 * @typedef {{ steps: number, unsteady: string[], errors: string[], files: { file: string, asked: boolean, broken?: Break | undefined }[] }} Truth
 */

/** Number of concurrent walks. */
const atOnce = 3;

/**
 * Returns the files of a folder, sorted, with `/` as separator.
 *
 * @param {string} folder
 */
export function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll('\\', '/'))
    .toSorted();
}

/**
 * Runs `work` for all items, a few at once, and returns the results in order.
 *
 * @template I, A
 * @param {I[]} items
 * @param {(item: I) => Promise<A> | A} work
 */
async function each(items, work) {
  /** @type {A[]} */
  const answers = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) answers[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}

/**
 * Returns the URL of an HTML file on a host.
 *
 * @param {Site} site
 * @param {string} file
 */
function address({ mount, host }, file) {
  const path = file.replace(/(^|\/)index\.html$/, '$1');
  return mount + (host === 'github-pages' || host === 'netlify' ? path.replace(/\.html$/, '') : path);
}

/**
 * Repeats a trip once or twice, and marks unstable parts to ignore.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {Trip} trip
 * @returns {Promise<Trip>}
 */
async function steady(browser, site, trip) {
  const second = await repeat(browser, site, trip, true);
  const asked = new Set([...trip.asked, ...second.asked]);
  if (second.other.flat().length === 0) return { ...trip, asked };
  // The first observation may have been too early, so the second is compared with a third.
  const third = await repeat(browser, site, { ...trip, seen: second.seen }, true);
  return { ...trip, asked: new Set([...asked, ...third.asked]), seen: second.seen, ignored: third.other };
}

/**
 * Walks through the intact site. The shortest trips come first, because they are the fastest to show a difference.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {string[]} all
 */
async function intact(browser, site, all) {
  const pages = all.filter((file) => file.endsWith('.html') && file !== '404.html' && !site.fallbacks.includes(file));
  const found = await each(pages, (file) => explore(browser, site, address(site, file)));
  const trips = await each(found.flat(), (trip) => steady(browser, site, trip));
  return trips.toSorted((one, other) => one.presses.length - other.presses.length);
}

/**
 * Describes a trip.
 *
 * @param {Trip} trip
 * @param {number} step
 */
const words = ({ path, presses }, step) => [path, ...presses.slice(0, step).map(([, name]) => name)].join(' > ');

/**
 * Returns the first difference that a missing file causes.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @param {Trip[]} trips
 * @param {string} file
 * @returns {Promise<Break | undefined>}
 */
async function without(browser, site, trips, file) {
  for (const trip of trips.filter(({ asked }) => asked.has(file))) {
    const { other, seen } = await repeat(browser, { ...site, missing: file }, trip);
    const step = other.length - 1;
    const parts = other[step] ?? [];
    if (parts.length > 0) return { at: words(trip, step), parts, expected: trip.seen[step], seen: seen[step] };
  }
  return undefined;
}

/**
 * Returns for each file of a site, `{ folder, mount, host, fallbacks }`, whether it was requested and what its absence changed.
 *
 * @param {Browser} browser
 * @param {Site} site
 * @returns {Promise<Truth>}
 */
export async function truth(browser, site) {
  const all = files(site.folder);
  const trips = await intact(browser, site, all);
  const asked = new Set(trips.flatMap((trip) => [...trip.asked]));
  const broken = await each(all, (file) => (asked.has(file) ? without(browser, site, trips, file) : undefined));
  /** @param {(trip: Trip, seen: Trip['seen'][number], step: number) => string[]} of */
  const list = (of) => [...new Set(trips.flatMap((trip) => trip.seen.flatMap((seen, step) => of(trip, seen, step).map((text) => `${words(trip, step)}: ${text}`))))];
  return {
    steps: trips.reduce((sum, { seen }) => sum + seen.length, 0),
    unsteady: list(({ ignored }, _, step) => ignored?.[step] ?? []),
    errors: list((_, { errors }) => (errors === '' ? [] : [errors])),
    files: all.map((file, at) => ({ file, asked: asked.has(file), broken: broken[at] })),
  };
}
