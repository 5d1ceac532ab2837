// Changes of the export that violate the contract, each with the finding that must report it.
import { createHash } from 'node:crypto';
import { legalFacts, privacy, terms } from './legal-facts.ts';

/** A change to an export and the expected finding. */
export interface Mutation {
  /** The changed or removed page. */
  page: string;
  /** The change. `undefined` removes the page. */
  change?: (html: string) => string;
  /** The expected rule. */
  rule: string;
  /** The name of the assertion in the contract, if it is one. */
  assertion?: string;
  /** A label to distinguish mutations of the same assertion. */
  note?: string;
}

/** Replaces the first match. Fails without a match, because such a mutation would prove nothing. */
function replaced(from: string | RegExp, to: string) {
  return (html: string) => {
    const changed = html.replace(from, () => to);
    if (changed === html) throw new Error(`${from} is not in the page`);
    return changed;
  };
}

/** Removes everything from one marker up to the next. */
const without = (pattern: RegExp) => replaced(pattern, '');

/** Swaps the first two matches. */
function swapped(pattern: RegExp) {
  return (html: string) => {
    const [first, second] = html.match(new RegExp(pattern, 'gs')) ?? [];
    if (first === undefined || second === undefined) throw new Error(`${pattern} is not there twice`);
    return html.replace(first, '\0').replace(second, () => first).replace('\0', () => second);
  };
}

const home = 'index.html';
const prompt = 'prompt-optimization/index.html';
const cache = 'smart-caching/index.html';
const routing = 'model-routing/index.html';
const analytics = 'usage-analytics/index.html';
const notFound = '404.html';

const clause = /<section[^>]*data-clause.*?<\/section>/s;
/** 15 kB of incompressible text, reproducible. */
const noise = Array.from({ length: 440 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex')).join('').slice(0, 28_000);

/** Replaces every occurrence in one clause of a legal text. */
const inClause = (id: string, from: string, to: string) => (html: string) => {
  const start = html.indexOf(`<section id="${id}"`);
  const end = html.indexOf('</section>', start);
  return html.slice(0, start) + replaced(from, to)(html.slice(start, end)).replaceAll(from, () => to) + html.slice(end);
};

/** Text that must not go live. */
const forbidden = [
  'Lorem ipsum dolor sit amet.',
  'TODO: write this',
  'XXX',
  'made by [insert company]',
  'write to {email.team}',
  'and save up to 90%',
  'average 45% less',
  'savings that are guaranteed',
];

/** For every required page and every assertion, at least one. */
export const mutations: readonly Mutation[] = [
  ...forbidden.flatMap((text) => [home, terms].map((page): Mutation => ({ page, change: replaced('</main>', `<p>${text}</p></main>`), rule: 'forbidden-text', note: text }))),
  // Pages.
  ...[home, prompt, cache, routing, analytics, terms, privacy, notFound].map((page) => ({ page, rule: 'missing-page', note: 'removed' })),
  // Links, anchors, assets.
  { page: home, change: replaced('href="/terms"', 'href="/trems"'), rule: 'broken-link' },
  { page: cache, change: replaced('href="/#benefits"', 'href="/#benfits"'), rule: 'broken-anchor' },
  { page: home, change: replaced(/(src|href)="\/assets\//, 'href="/assets/gone-'), rule: 'missing-asset' },
  { page: notFound, change: replaced(/href="\/assets\//, 'href="assets/'), rule: 'relative-link-in-404' },
  // All pages.
  { page: terms, change: replaced(/<\/h1>/, '</h1><h1>Again</h1>'), rule: 'wrong-count', assertion: 'one main heading' },
  { page: privacy, change: without(/<header.*?<\/header>/s), rule: 'wrong-count', assertion: 'home link in the header' },
  // Loaded files.
  { page: home, change: replaced('</body>', '<script>1</script></body>'), rule: 'wrong-count', assertion: 'one script that runs at once' },
  { page: terms, change: replaced('</body>', '<script src="/404.js?"></script></body>'), rule: 'wrong-count', assertion: 'no script before the visitor does anything' },
  { page: cache, change: replaced(' media="not all"', ''), rule: 'wrong-count', assertion: 'no script before the visitor does anything', note: 'preloaded' },
  { page: analytics, change: without(/<link rel="modulepreload"[^>]*>/), rule: 'wrong-count', assertion: 'scripts in one trip' },
  { page: routing, change: without(/<link rel="modulepreload"[^>]*>/), rule: 'wrong-count', assertion: 'scripts of an example in one trip' },
  { page: notFound, change: without(/<link rel="stylesheet"[^>]*>/), rule: 'wrong-count', assertion: 'two style sheets' },
  { page: home, change: without(/<link rel="prefetch"[^>]*>/), rule: 'wrong-count', assertion: 'styles of feature pages, which the home page fetches when it is idle' },
  { page: analytics, change: without(/<script type="speculationrules">.*?<\/script>/), rule: 'wrong-count', assertion: 'speculation rules' },
  { page: cache, change: without(/<link rel="stylesheet"[^>]*>/), rule: 'wrong-count', assertion: 'three style sheets of a feature page' },
  { page: privacy, change: without(/<link rel="preload"[^>]*>/), rule: 'wrong-count', assertion: 'two fonts, early' },
  { page: home, change: replaced('</head>', `${'<link rel="preload" href="/favicon.svg?-latin" as="font">'.repeat(3)}</head>`), rule: 'wrong-count', assertion: 'fonts of the rare letters of a name' },
  ...[home, prompt, cache, routing, analytics, terms, privacy, notFound].map((page) => ({ page, change: replaced('</body>', `<!--${noise}--></body>`), rule: 'size-budget', note: '15 kB more' })),
  // Demo links.
  { page: home, change: replaced(' target="_blank"', ''), rule: 'wrong-attribute', assertion: 'demo links', note: 'no target' },
  { page: cache, change: replaced('rel="noopener"', 'rel="nofollow"'), rule: 'wrong-attribute', assertion: 'demo links', note: 'no noopener' },
  { page: routing, change: replaced(/(data-demo="" href=")[^"]*/, 'data-demo="" href="https://cal.example.com/other'), rule: 'inconsistent-value', assertion: 'demo links' },
  { page: analytics, change: (html) => html.replaceAll('data-demo=""', ''), rule: 'wrong-count', assertion: 'demo links', note: 'none left' },
  { page: prompt, change: replaced(/(data-demo="" href=")[^"]*/, 'data-demo="" href="https://cal.example.com/other'), rule: 'wrong-attribute', assertion: 'demo address' },
  { page: terms, change: replaced('</main>', '<a href="https://elsewhere.example.org/">x</a></main>'), rule: 'wrong-attribute', assertion: 'links to other sites' },
  // Header and footer.
  { page: home, change: swapped(/href="\/(prompt-optimization|smart-caching)"/), rule: 'wrong-order', assertion: 'Features menu' },
  { page: home, change: replaced(/Book a Demo Call(?=<svg)/, 'Sign up'), rule: 'wrong-text', assertion: 'header links', note: 'demo button' },
  { page: cache, change: without(/<a href="\/#testimonials"[^>]*>Testimonials<\/a>/), rule: 'wrong-order', assertion: 'header links', note: 'Testimonials' },
  { page: routing, change: replaced('<a href="/#benefits"', '<a href="/#features"'), rule: 'wrong-order', assertion: 'header sections' },
  { page: analytics, change: replaced(/(?<=aria-controls="features-menu">)Features/, 'More'), rule: 'wrong-text', assertion: 'Features button' },
  { page: home, change: replaced(/(?<=data-phone-menu.*?<li><a [^>]*>)Benefits/s, 'Gains'), rule: 'wrong-text', assertion: 'items of the phone menu', note: 'Benefits' },
  { page: cache, change: without(/(?<=data-phone-menu.*?)<li><a href="\/#testimonials".*?<\/li>/s), rule: 'wrong-order', assertion: 'items of the phone menu', note: 'Testimonials' },
  { page: routing, change: replaced(/(?<=data-phone-menu.*?)href="\/#testimonials"/s, 'href="/#benefits"'), rule: 'wrong-order', assertion: 'links of the phone menu' },
  { page: analytics, change: replaced('Request Demo', 'Sign up'), rule: 'wrong-text', assertion: 'footer links', note: 'demo' },
  { page: home, change: replaced('>Contact<', '>Chat<'), rule: 'wrong-text', assertion: 'footer links', note: 'contact' },
  { page: prompt, change: replaced(/Company(?=<\/h2>)/, 'Firm'), rule: 'wrong-text', assertion: 'footer columns' },
  { page: prompt, change: replaced(/Privacy Policy(?=<\/a>)/, 'Privacy'), rule: 'wrong-text', assertion: 'link to the Privacy Policy' },
  { page: prompt, change: replaced(/Terms of Use(?=<\/a>)/, 'Terms'), rule: 'wrong-text', assertion: 'link to the Terms of Use' },
  { page: home, change: (html) => html.replaceAll('2024', '2025'), rule: 'wrong-text', assertion: 'copyright line', note: 'year' },
  { page: home, change: replaced('All rights reserved', 'Some rights reserved'), rule: 'wrong-text', assertion: 'copyright line', note: 'rights' },
  // Home.
  { page: home, change: replaced('<section id="benefits"', '<section id="benefit"'), rule: 'wrong-order', assertion: 'home anchors in order' },
  { page: home, change: replaced(/See How It Works(?=<)/, 'Read on'), rule: 'wrong-text', assertion: 'See How It Works' },
  { page: home, change: replaced(/Save Time(?=<\/h3>)/, 'Save Hours'), rule: 'wrong-text', assertion: 'benefits' },
  { page: home, change: (html) => html.replaceAll('SOC 2', 'ISO 27001'), rule: 'wrong-text', assertion: 'Enterprise Security claims' },
  { page: home, change: replaced('Four lines.', 'Five lines.'), rule: 'wrong-text', assertion: 'number of features' },
  { page: '.well-known/security.txt', change: replaced(/Expires: .*/, 'Expires: 2020-01-01T00:00:00.000Z'), rule: 'malformed-file', note: 'expired' },
  { page: home, change: replaced('data-feature="smart-caching"', ''), rule: 'wrong-order', assertion: 'feature cards' },
  { page: home, change: replaced('950</strong>', '900</strong>'), rule: 'wrong-text', assertion: 'bill lines of the cards' },
  { page: home, change: without(/<blockquote.*?<\/blockquote>/s), rule: 'wrong-count', assertion: 'testimonials' },
  { page: home, change: replaced(/(?<=<figcaption><strong>)[^<]+/, ''), rule: 'wrong-text', assertion: 'authors of quotes' },
  { page: home, change: replaced('Fernhill Desk', ''), rule: 'wrong-text', assertion: 'title and company of authors', note: 'company' },
  { page: cache, change: replaced(/(?<=<figcaption><strong>[^<]+<\/strong><span>)[^<]+/, ''), rule: 'wrong-text', assertion: 'title and company of authors', note: 'title' },
  { page: home, change: (html) => html.replaceAll('40%', '30%'), rule: 'wrong-text', assertion: 'headline figures' },
  { page: home, change: replaced('/terms#marketing-figures', '/terms#website'), rule: 'wrong-attribute', assertion: 'clause about the headline figures' },
  { page: home, change: replaced(/(?<=data-slip.*?)\$5,040/s, '$5,400'), rule: 'wrong-text', assertion: 'bill on the first screen of a phone' },
  { page: home, change: (html) => html.replaceAll('Sample quotes', 'Quotes'), rule: 'wrong-text', assertion: 'sample quotes' },
  { page: home, change: replaced('What do you charge?', 'What does it cost?'), rule: 'wrong-text', assertion: 'first questions of buyers' },
  { page: home, change: replaced('What do you store,', 'What do we keep,'), rule: 'wrong-text', assertion: 'question about stored data' },
  { page: home, change: replaced('href="/privacy#collect"', 'href="/privacy#sharing"'), rule: 'wrong-order', assertion: 'stored data' },
  { page: home, change: (html) => html.replaceAll('90 days', '90 years'), rule: 'wrong-text', assertion: 'retention of stored data' },
  { page: home, change: replaced('To leave, change the line back', 'To leave, write to us'), rule: 'wrong-text', assertion: 'how to leave' },
  { page: home, change: replaced('>$8.4k<', '>$8k<'), rule: 'wrong-text', assertion: "the visitor's own bill" },
  { page: home, change: (html) => html.replaceAll('$40,320', '$44,320'), rule: 'wrong-text', assertion: 'sample bill without JavaScript' },
  { page: home, change: replaced('href="#bill=5000"', 'href="#bill"'), rule: 'wrong-order', assertion: "amounts that print the visitor's own bill" },
  { page: home, change: replaced(/href="#bill=5000"(?!.*href="#bill=5000")/s, 'href="#features"'), rule: 'wrong-count', assertion: 'the same amounts under the receipt' },
  { page: home, change: replaced('about these', 'about those'), rule: 'wrong-text', assertion: 'call about the own bill' },
  { page: home, change: replaced('Before our fee', 'After our fee'), rule: 'wrong-text', assertion: 'the fee is not in the estimate' },
  { page: home, change: replaced('never more than', 'seldom more than'), rule: 'wrong-text', assertion: 'limit of the rates' },
  { page: home, change: replaced('href="/privacy#cookies"', 'href="/privacy#sharing"'), rule: 'wrong-order', assertion: 'links about figures and data' },
  { page: home, change: replaced('>JavaScript<', '>TypeScript<'), rule: 'wrong-text', assertion: 'languages of the sample code' },
  ...([[/<pre(.*?)<\/pre>/s, 'sample code in each language'], [/(?<=<pre.*?)<ins>.*?<\/ins>/s, 'one new line in each sample']] as const).map(([part, assertion]): Mutation => ({ page: home, change: without(part), rule: 'wrong-count', assertion })),
  { page: home, change: without(/<details name.*?<\/details>/s), rule: 'wrong-count', assertion: 'five sample requests' },
  { page: home, change: replaced('costs full price', 'costs less'), rule: 'wrong-text', assertion: 'costs of the sample requests' },
  { page: home, change: replaced('What stays in your client', 'What stays'), rule: 'wrong-text', assertion: 'the change for an engineer' },
  // Feature pages.
  { page: cache, change: replaced('data-part="example"', 'data-part="sample"'), rule: 'wrong-order', assertion: 'parts of a feature page' },
  { page: cache, change: without(/(?<=data-part="how-it-works".*?)<li.*?<\/li>/s), rule: 'wrong-count', assertion: 'three steps' },
  { page: routing, change: without(/(?<=data-part="benefits".*?)<h3.*?<\/h3>/s), rule: 'wrong-count', assertion: 'six benefits' },
  { page: routing, change: without(/<blockquote.*?<\/blockquote>/s), rule: 'wrong-count', assertion: 'one testimonial' },
  { page: prompt, change: without(/(?<=data-part="faq".*?)<h3.*?<\/h3>/s), rule: 'wrong-count', assertion: 'three questions' },
  { page: prompt, change: without(/(?<=data-part="hero".*?)data-demo=""/s), rule: 'wrong-count', assertion: 'demo button in the hero' },
  { page: prompt, change: without(/(?<=data-part="demo".*?)data-demo=""/s), rule: 'wrong-count', assertion: 'closing demo button' },
  { page: cache, change: replaced('<a href="#example"', '<a href="#content"'), rule: 'wrong-count', assertion: 'link to the example' },
  { page: cache, change: without(/(?<=data-part="benefits".*?)<p [^>]*aria-hidden.*?<\/p>/s), rule: 'wrong-count', assertion: 'drawings of benefits' },
  { page: routing, change: replaced('You decide.', 'You pay.'), rule: 'wrong-text', assertion: 'steps of the call' },
  { page: cache, change: (html) => html.replaceAll('1,200', '1,300'), rule: 'wrong-text', assertion: 'the next line of the bill' },
  { page: analytics, change: replaced('>Project<', '>Product<'), rule: 'wrong-text', assertion: 'tabs of the dashboard' },
  { page: prompt, change: (html) => html.replaceAll('147', '148'), rule: 'wrong-text', assertion: 'prompt example figures' },
  { page: prompt, change: replaced('aria-pressed="true"', 'aria-pressed="false"'), rule: 'wrong-count', assertion: 'struck lines to put back' },
  { page: prompt, change: (html) => html.replaceAll('0.0294', '0.0295'), rule: 'wrong-text', assertion: 'prompt example costs' },
  { page: prompt, change: (html) => html.replaceAll('30–50%', '30–60%'), rule: 'wrong-text', assertion: 'prompt optimization savings' },
  { page: prompt, change: (html) => html.replaceAll('$0.20', '$0.25'), rule: 'wrong-text', assertion: 'price of the sample prompt' },
  { page: analytics, change: (html) => html.replaceAll('$5,800', '$7,560'), rule: 'wrong-text', assertion: 'months of the dashboard' },
  { page: cache, change: (html) => html.replaceAll('2.3', '2.4'), rule: 'wrong-text', assertion: 'cache example figures' },
  { page: cache, change: replaced('>Generous<', '>Loose<'), rule: 'wrong-text', assertion: 'similarity of cached questions' },
  { page: cache, change: (html) => html.replaceAll('60–80%', '70–80%'), rule: 'wrong-text', assertion: 'cache hit rates' },
  { page: routing, change: (html) => html.replaceAll('0.015', '0.016'), rule: 'wrong-text', assertion: 'routing example costs' },
  { page: routing, change: swapped(/(Fast|Strict)<!-- -->/), rule: 'wrong-order', assertion: 'quality of routed answers' },
  ...([[cache, 'Usual, $0.10:', 'all similarities'], [routing, 'Strict, $0.075:', 'all qualities']] as const).map(([page, text, all]): Mutation => ({ page, change: replaced(text, 'Free:'), rule: 'wrong-text', assertion: `${all} without JavaScript` })),
  { page: routing, change: (html) => html.replaceAll('30–60%', '40–60%'), rule: 'wrong-text', assertion: 'routing savings' },
  { page: analytics, change: (html) => html.replaceAll(/budget remaining/gi, 'Budget left'), rule: 'wrong-text', assertion: 'dashboard labels' },
  // Legal pages.
  { page: terms, change: without(clause), rule: 'wrong-count', assertion: '19 terms clauses', note: 'one removed' },
  { page: terms, change: swapped(clause), rule: 'wrong-numbering', assertion: '19 terms clauses', note: 'two swapped' },
  { page: privacy, change: without(clause), rule: 'wrong-count', assertion: '17 privacy sections', note: 'one removed' },
  { page: privacy, change: swapped(clause), rule: 'wrong-numbering', assertion: '17 privacy sections', note: 'two swapped' },
  { page: terms, change: replaced(/End of Terms(?=<)/, 'The end'), rule: 'wrong-text', assertion: 'End of Terms' },
  { page: privacy, change: (html) => html.replaceAll('class="cite"', ''), rule: 'wrong-count', assertion: 'numbers to cite' },
  ...legalFacts.map(([page, assertion, clauseId, from, to]): Mutation => ({ page, change: inClause(clauseId, from, to), rule: 'wrong-text', assertion, note: from })),
  { page: terms, change: inClause('contact', 'mailto:', '/#'), rule: 'wrong-count', assertion: 'contacts in the Terms' },
  { page: privacy, change: inClause('contact', 'mailto:', '/#'), rule: 'wrong-count', assertion: 'privacy contact' },
  { page: privacy, change: replaced('11 September 2024', '12 September 2024'), rule: 'wrong-text', assertion: 'last updated' },
  { page: terms, change: replaced('/share/terms.png', '/share/home.png'), rule: 'wrong-count', assertion: 'share image of the Terms' },
  { page: privacy, change: replaced('/share/privacy.png', '/share/home.png'), rule: 'wrong-count', assertion: 'share image of the Privacy Policy' },
  { page: terms, change: replaced('Back to Home', 'Home'), rule: 'wrong-text', assertion: 'Back to Home' },
  { page: privacy, change: (html) => html.replaceAll('mailto:', '/#'), rule: 'wrong-count', assertion: 'mail links' },
  { page: terms, change: replaced('href="#contents"', 'href="#content"'), rule: 'wrong-count', assertion: 'contents bar' },
  { page: terms, change: replaced('</body>', '<script src="/404.js"></script></body>'), rule: 'wrong-count', assertion: 'no scripts on documents' },
  // Not found.
  { page: notFound, change: replaced('Oops! Page not found', 'Not here'), rule: 'wrong-text', assertion: 'not-found text' },
  { page: notFound, change: swapped(/href="\/(prompt-optimization|smart-caching)"/), rule: 'wrong-order', assertion: 'features on the not-found page' },
  { page: notFound, change: without(/<script src="\/404.js".*?<\/script>/), rule: 'wrong-count', assertion: 'log of the unknown path', note: 'no script' },
  { page: notFound, change: without(/ integrity="[^"]*"/), rule: 'wrong-attribute', assertion: 'log of the unknown path', note: 'no hash' },
  { page: '404.js', change: () => 'void location.pathname', rule: 'integrity-mismatch', note: 'logs nothing' },
  { page: notFound, change: replaced('Return to Home', 'Home'), rule: 'wrong-text', assertion: 'Return to Home', note: 'text' },
  { page: notFound, change: replaced(/(?<=<main.*?)href="\/"/s, 'href="/terms"'), rule: 'wrong-count', assertion: 'Return to Home', note: 'link' },
];
