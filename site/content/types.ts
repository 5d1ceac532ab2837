// The shapes of everything the site says; components take these as props and hold no words of their own.
import type { BillLine, Slug } from './bill.ts';
import type { RequestDeskContent } from './interactive-types.ts';
import type { SiteLink } from './site-link.ts';
import type { CacheExampleContent, RoutingExampleContent } from './threshold-types.ts';

export type { BillLine, SiteLink };

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

/** A miniature of what a feature does: struck words, prices of questions, lanes to models, bars of months, or parts of a whole. */
export type CardDrawing =
  | { readonly kind: 'words'; readonly parts: readonly { readonly text: string; readonly struck: boolean }[] }
  | { readonly kind: 'prices'; readonly rows: readonly { readonly text: string; readonly price: string }[] }
  | { readonly kind: 'lanes'; readonly rows: readonly { readonly text: string; readonly stop: number }[] }
  | { readonly kind: 'bars'; readonly values: readonly number[] }
  | { readonly kind: 'parts'; readonly rows: readonly { readonly text: string; readonly value: string; readonly from?: number; readonly share: number; readonly saved?: boolean }[] };

/** A feature, as menus, bills and islands show it. */
export interface Feature {
  readonly slug: Slug;
  /** Short name, for menus, breadcrumbs and its card. */
  readonly label: string;
  /** The line of the sample bill that it strikes. */
  readonly line: BillLine;
}

/** The card of a feature on the home page, and its page in search results. */
export interface FeatureCard {
  /** One line under the label in the Features menu. */
  readonly menuText: string;
  /** What its page is about; the title element adds the brand. */
  readonly title: string;
  /** What search results show. */
  readonly description: string;
  readonly text: string;
  readonly link: string;
  readonly drawing: CardDrawing;
}

/** A benefit with its figure in the ledger. */
export interface Benefit extends TitledText {
  readonly figure: string;
  readonly unit: string;
  /** What buyers ask first, with the sections that answer it. */
  readonly proof?: Proof;
}

/** A link in a sentence: `[text](href)` in `before [text](href) after`. */
export interface LinkedText {
  readonly before: string;
  readonly link: SiteLink;
  readonly after: string;
}

/** The first questions of buyers with their answers, a table of the stored data, with the place and the time, and how to leave. */
export interface Proof {
  readonly title: string;
  readonly questions: readonly { readonly question: string; readonly answer: string; readonly link?: SiteLink }[];
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly what: SiteLink; readonly where: string; readonly until: string }[];
  readonly leave: LinkedText;
}

/** The closing call to book a demo. */
export interface ClosingCall {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

/** A line of a diff: kept (a space), struck (`-`), or new (`+`). */
export interface CodeLine {
  readonly mark: string;
  readonly text: string;
}

/** The same change for one client. */
export interface CodeSample {
  readonly language: string;
  readonly diff: string;
}

/** The sample code of each client, and what it means. */
export interface CodeChangeContent {
  readonly title: string;
  readonly kind: string;
  readonly samples: readonly CodeSample[];
  readonly notes: readonly TitledText[];
}

/** How the service is put to use: the steps, the line that changes, and requests to send. */
export interface HowContent extends SectionIntro {
  readonly steps: readonly TitledText[];
  readonly code: CodeChangeContent;
  readonly desk: RequestDeskContent;
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
    /** The clause of the terms about the figures. */
    readonly figuresNote: string;
  };
  readonly how: HowContent;
  readonly benefits: { readonly title: string; readonly items: readonly Benefit[] };
  readonly features: SectionIntro;
  readonly testimonials: SectionIntro & { readonly items: readonly Testimonial[] };
  readonly closing: ClosingCall;
}

/** A figure in a case study: the old value, if any, is struck. */
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
  /** The first two have a drawing. */
  readonly benefits: SectionIntro & { readonly items: readonly (TitledText & { readonly drawing?: CardDrawing })[] };
  readonly caseStudy: SectionIntro & {
    readonly company: string;
    readonly paragraphs: readonly string[];
    readonly figures: readonly CaseFigure[];
  };
  readonly testimonial: { readonly label: string; readonly item: Testimonial };
  readonly faq: SectionIntro & { readonly items: readonly TitledText[] };
  readonly demo: ClosingCall;
}

/** A line of the sample prompt, with its length in tokens: kept, or struck by the optimizer. */
export interface PromptPart {
  readonly text: string;
  readonly struck: boolean;
  readonly tokens: number;
}

/** A row of sums: before, and after. */
export interface Sums {
  readonly label: string;
  readonly was: string;
  readonly now: string;
}

/** The before/after prompt, line by line. */
export interface PromptExampleContent {
  readonly kind: 'prompt';
  readonly caption: string;
  readonly columns: { readonly line: string; readonly before: string; readonly after: string };
  readonly parts: readonly PromptPart[];
  /** How to put a struck line back. */
  readonly hint: string;
  readonly dollarsPerToken: number;
  /** Tokens and costs, before and after. */
  readonly sums: readonly Sums[];
  /** The remaining text is shown again by itself. */
  readonly sent: string;
  readonly note: string;
}

/** A named share of a whole. */
export interface Share {
  readonly label: string;
  readonly value: string;
  /** Per cent, for the drawing. */
  readonly share: number;
}

/** The meaning of a color of the dashboard: money that was spent, what was saved, or a share of the requests. */
export type Tone = 'spent' | 'saved' | 'requests';

/** A rate with its ring. `drawn` names the drawn share, if the label names the rest. */
export interface Rate extends Share {
  readonly detail: string;
  readonly tone: Tone;
  readonly drawn?: string;
}

/** The dashboard mock: sample figures only. */
export interface DashboardContent {
  readonly kind: 'dashboard';
  readonly title: string;
  readonly period: string;
  readonly spend: {
    readonly label: string;
    readonly value: string;
    readonly detail: string;
    readonly months: readonly { readonly label: string; readonly value: number; readonly text: string }[];
  };
  readonly rates: readonly Rate[];
  readonly budget: Rate;
  /** The same amount, split in several ways, with a tab for each. */
  readonly tabs: { readonly name: string; readonly labels: readonly string[] };
  readonly splits: readonly { readonly label: string; readonly items: readonly Share[] }[];
  readonly legend: readonly { readonly tone: Tone; readonly label: string }[];
  readonly models: { readonly label: string; readonly items: readonly Share[] };
}

/** The data of an example; its kind selects the drawing. */
export type ExampleContent = PromptExampleContent | CacheExampleContent | RoutingExampleContent | DashboardContent;

/** All that a feature page says. */
export interface FeaturePage {
  readonly content: FeatureContent;
  readonly example: ExampleContent;
}
