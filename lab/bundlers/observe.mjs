// Describes the visible content of a page as plain data. Runs inside the page.
/* oxlint-disable unicorn/consistent-function-scoping -- each function is sent to the page alone */

/**
 * The state of a walk in a page.
 *
 * @typedef {{ changed: number, buttons?: Map<string, HTMLElement>, links?: Map<string, HTMLElement> }} Walk
 * @typedef {typeof globalThis & { __walk: Walk }} Walked
 *
 * @typedef {'buttons' | 'links'} Kind
 */

/** Runs before the scripts of a page: records the time of the last change of the document. */
export function watch() {
  const state = { changed: performance.now() };
  Object.defineProperty(globalThis, '__walk', { value: state });
  const observer = new MutationObserver(() => (state.changed = performance.now()));
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  // Ignores announcements of routers for screen readers, which are invisible and missing after a full load.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('next-route-announcer, #svelte-announcer, #gatsby-announcer, .astro-route-announcer { display: none !important }');
  document.adoptedStyleSheets.push(sheet);
}

/** Describes the document. The function must not use anything outside of it. */
export async function look() {
  const unseen = new Set(['SCRIPT', 'LINK', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'META', 'TITLE', 'HEAD']);
  const styles = [
    'display', 'visibility', 'color', 'background-color', 'background-image', 'font-family', 'font-size', 'font-weight',
    'font-style', 'position', 'padding-top', 'border-top-width', 'border-top-style', 'text-align', 'text-decoration-line',
  ];
  /** @param {string} text */
  const clean = (text) => text.replaceAll(location.origin, '').replaceAll(/\s+/g, ' ').trim();

  /**
   * @param {Document | ShadowRoot | Element} top
   * @param {Element[]} found
   */
  function all(top, found = []) {
    for (const element of top.children) {
      if (unseen.has(element.tagName.toUpperCase())) continue;
      if (element.checkVisibility()) found.push(element);
      if (element.shadowRoot) all(element.shadowRoot, found);
      all(element, found);
    }
    return found;
  }

  /** @param {Element} element */
  function style(element) {
    const own = getComputedStyle(element);
    const before = getComputedStyle(element, '::before').content;
    return clean(`${element.localName} ${styles.map((name) => own.getPropertyValue(name)).join('|')} ${before}`);
  }

  /**
   * Returns the width of an image in a style, or 0 if it cannot be loaded.
   *
   * @param {string} address
   */
  async function width(address) {
    const image = new Image();
    image.src = address;
    await image.decode().catch(() => {});
    return `${clean(address)} ${image.naturalWidth}`;
  }

  if (document.body === null) return undefined;
  const elements = all(document);
  const painted = elements.map((element) => getComputedStyle(element).backgroundImage).join(' ').matchAll(/url\("([^"]+)"\)/g);
  const addresses = new Set([...painted].map(([, address = '']) => address).filter((address) => !address.startsWith('data:')));
  const shadows = elements.flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot.textContent] : []));
  const images = elements.filter((element) => element instanceof HTMLImageElement);
  const media = elements.filter((element) => element instanceof HTMLMediaElement);
  return {
    url: location.pathname + location.search,
    status: /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))[0]?.responseStatus,
    title: document.title,
    text: clean([document.body.innerText, ...shadows].join(' ')),
    elements: elements.map(({ localName }) => localName).join(' '),
    styles: elements.map(style).join('\n'),
    images: [...images.map(({ complete, naturalWidth }) => `${complete} ${naturalWidth}`), ...(await Promise.all([...addresses].map(width)))].join('\n'),
    media: media.map(({ error, readyState }) => `${error?.code ?? 0} ${readyState > 0}`).join('\n'),
    fonts: [...document.fonts].filter(({ status }) => status !== 'unloaded').map(({ family, weight, status }) => `${family} ${weight} ${status}`).toSorted().join('\n'),
  };
}

/** Returns the names of buttons. Names do not depend on numbers in the text. */
export function buttons() {
  const seen = new Map();
  const found = new Map();
  /** @type {NodeListOf<HTMLElement & { disabled?: boolean, value?: string }>} */
  const pressable = document.querySelectorAll('button, summary, [role=button], input[type=button], input[type=submit]');
  for (const element of pressable) {
    if (element.disabled) continue;
    const text = `${element.textContent}${element.getAttribute('aria-label') ?? ''}${element.value ?? ''}`;
    const name = text.replaceAll(/[\d\s]+/g, ' ').trim();
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    found.set(`${name}#${nth}`, element);
  }
  /** @type {Walked} */ (globalThis).__walk.buttons = found;
  return [...found.keys()];
}

/** Returns the internal links, each once. */
export function links() {
  const found = new Map();
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const anchors = document.querySelectorAll('a[href]');
  for (const element of anchors) {
    const { origin, pathname, search } = new URL(element.href, location.href);
    if (origin !== location.origin || element.target === '_blank' || element.hasAttribute('download')) continue;
    if (pathname === location.pathname && search === location.search) continue;
    if (!found.has(pathname + search)) found.set(pathname + search, element);
  }
  /** @type {Walked} */ (globalThis).__walk.links = found;
  return [...found.keys()];
}

/**
 * Clicks an element of {@link buttons} or {@link links}. Returns false if it does not exist.
 *
 * @param {[kind: Kind, name: string]} what
 */
export function press([kind, name]) {
  const { __walk: walk } = /** @type {Walked} */ (globalThis);
  const element = walk[kind]?.get(name);
  walk.changed = performance.now();
  element?.click();
  return element !== undefined;
}
