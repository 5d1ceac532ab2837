// The shapes of everything the site says; components take these as props and hold no words of their own.

/** Brand and addresses: site.json, with overrides from the environment at build time. */
export interface Settings {
  /** Brand name, as it is written in running text. */
  readonly name: string;
  /** Scheme and host of the published site, without a trailing slash. */
  readonly origin: string;
  /** Page where an intro demo call is booked; always opened in a new tab. */
  readonly demoUrl: string;
  readonly email: { readonly team: string; readonly legal: string; readonly privacy: string };
  /** The instant security.txt stops being valid; fixed, so that two builds are alike. */
  readonly securityExpires: string;
}

/** A link inside the site. */
export interface SiteLink {
  readonly label: string;
  readonly href: string;
}

/** A heading with the text under it. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** The small label, heading and opening sentence of a section. */
export interface SectionIntro {
  readonly label: string;
  readonly title: string;
  readonly text?: string;
}

/** A sample quote. The people are invented and the page says so. */
export interface Testimonial {
  readonly quote: string;
  readonly author: string;
  readonly title: string;
  readonly company: string;
}

/** One line of the sample bill: what it cost before and after, in whole dollars. */
export interface BillLine {
  readonly label: string;
  readonly before: number;
  readonly after: number;
}

/** A feature: all that the site shows of it outside its own page, and how that page is had. */
export interface Feature {
  /** Its name in addresses. */
  readonly slug: string;
  /** Short name, for menus, breadcrumbs and its card. */
  readonly label: string;
  /** What its page is about; the title element adds the brand. */
  readonly title: string;
  /** What search results show. */
  readonly description: string;
  /** One line under the label in the Features menu. */
  readonly menuText: string;
  /** The line of the sample bill that it strikes. */
  readonly line: BillLine;
  /** Its card on the home page; `was` is struck and `now` stands beside it. */
  readonly card: {
    readonly text: string;
    readonly link: string;
    readonly figure: { readonly label: string; readonly was: string; readonly now: string };
  };
  /** The words of its page, loaded with the page alone. */
  readonly page: () => Promise<FeaturePage>;
}

/** A benefit with the figure that stands for it in the ledger. */
export interface Benefit extends TitledText {
  readonly figure: string;
  readonly unit: string;
}

/** The closing call to book a demo. */
export interface ClosingCall {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

/** All the words of the home page. */
export interface HomeContent {
  readonly hero: {
    readonly label: string;
    readonly title: readonly string[];
    readonly text: string;
    readonly demo: string;
    readonly how: string;
    readonly figures: readonly { readonly value: string; readonly label: string }[];
  };
  readonly how: SectionIntro & { readonly steps: readonly TitledText[] };
  readonly benefits: SectionIntro & { readonly items: readonly Benefit[] };
  readonly features: SectionIntro;
  readonly testimonials: SectionIntro & { readonly items: readonly Testimonial[] };
  readonly closing: ClosingCall;
}

/** A figure in a case study: the old value is struck where there is one. */
export interface CaseFigure {
  readonly label: string;
  readonly was?: string;
  readonly now: string;
}

/** The words that all feature pages have in the same places. */
export interface FeatureContent {
  readonly hero: { readonly label: string; readonly title: string; readonly text: string; readonly demo: string };
  readonly example: SectionIntro;
  readonly how: SectionIntro & { readonly steps: readonly TitledText[] };
  readonly benefits: SectionIntro & { readonly items: readonly TitledText[] };
  readonly caseStudy: SectionIntro & {
    readonly company: string;
    readonly paragraphs: readonly string[];
    readonly figures: readonly CaseFigure[];
  };
  readonly testimonial: { readonly label: string; readonly item: Testimonial };
  readonly faq: SectionIntro & { readonly items: readonly TitledText[] };
  readonly demo: ClosingCall;
}

/** A stretch of the sample prompt: kept, or struck by the optimizer. */
export interface PromptPart {
  readonly text: string;
  readonly struck: boolean;
}

/** The before/after prompt. */
export interface PromptExampleContent {
  readonly kind: 'prompt';
  readonly parts: readonly PromptPart[];
  readonly before: { readonly label: string; readonly tokens: string; readonly cost: string };
  readonly after: { readonly label: string; readonly tokens: string; readonly cost: string };
}

/** What stands at the foot of an example that adds up. */
export interface ExampleSum {
  readonly total: { readonly label: string; readonly was: string; readonly now: string };
}

/** The comparison of one paid call with the cached answers that follow it. */
export interface CacheExampleContent extends ExampleSum {
  readonly kind: 'cache';
  readonly calls: readonly {
    readonly label: string;
    readonly question: string;
    readonly source: string;
    readonly time: string;
    readonly cost: string;
    readonly cached: boolean;
    /** Width of the time bar, in per cent of the slowest call. */
    readonly share: number;
  }[];
  readonly timeLabel: string;
  readonly costLabel: string;
}

/** Three tasks and the model each one is sent to. */
export interface RoutingExampleContent extends ExampleSum {
  readonly kind: 'routing';
  readonly columns: { readonly task: string; readonly model: string; readonly cost: string };
  readonly tasks: readonly {
    readonly level: string;
    readonly task: string;
    readonly model: string;
    readonly cost: string;
    readonly was?: string;
    /** Width of the cost bar, in per cent of the most expensive call. */
    readonly share: number;
  }[];
}

/** A named share of a whole. */
export interface Share {
  readonly label: string;
  readonly value: string;
  /** Per cent, for the bar. */
  readonly share: number;
}

/** The dashboard mock: sample figures only. */
export interface DashboardContent {
  readonly kind: 'dashboard';
  readonly title: string;
  readonly period: string;
  readonly tiles: readonly { readonly label: string; readonly value: string; readonly detail: string }[];
  readonly trend: { readonly label: string; readonly months: readonly { readonly label: string; readonly value: number; readonly text: string }[] };
  readonly budget: Share & { readonly detail: string };
  readonly teams: { readonly label: string; readonly items: readonly Share[] };
  readonly models: { readonly label: string; readonly items: readonly Share[] };
}

/** What an example is drawn from; its kind says which drawing. */
export type ExampleContent = PromptExampleContent | CacheExampleContent | RoutingExampleContent | DashboardContent;

/** All that a feature page says. */
export interface FeaturePage {
  readonly content: FeatureContent;
  readonly example: ExampleContent;
}
