// The shapes of the parts of the home page that react to the visitor.
import type { Slug } from './bill.ts';
import type { SiteLink } from './site-link.ts';

/** A stop of a sample request: what happens there, or that nothing does, or that the request never comes there. */
export interface RequestStop {
  readonly state: 'works' | 'passes' | 'skipped';
  readonly text: string;
}

/** A sample request, its stops in order, and its cost before and after. Without `was`, nothing is saved. */
export interface SampleRequest {
  readonly text: string;
  readonly stops: readonly RequestStop[];
  readonly was?: string;
  readonly now: string;
  readonly why: string;
}

/** The sample requests that visitors can send. */
export interface RequestDeskContent {
  readonly title: string;
  readonly text: string;
  /** The names of the stops. */
  readonly stops: readonly string[];
  readonly cost: string;
  readonly requests: readonly SampleRequest[];
  readonly note: string;
}

/** A button that copies: its label, and the result. */
export interface CopyWords {
  readonly label: string;
  readonly done: string;
  readonly failed: string;
}

/** The words around the visitor's own bill. */
export interface OwnBillFrame {
  readonly label: string;
  readonly title: string;
  readonly note: string;
  readonly links: readonly SiteLink[];
}

/** The words of the visitor's own bill. */
export interface OwnBillContent {
  /** The question before the amounts in the opening. */
  readonly print: string;
  readonly amounts: string;
  readonly choices: readonly number[];
  /** The name of the buttons for more and less. */
  readonly nearer: string;
  readonly less: string;
  readonly more: string;
  readonly sounds: string;
  /** What sounds like the visitor, by the slug of the feature that shrinks the line. */
  readonly habits: Readonly<Record<Slug, string>>;
  readonly sentence: (before: string, after: string, year: string) => string;
  /** The sentence if nothing is saved. */
  readonly nothing: (before: string) => string;
  /** The demo button under the result: with the savings of a year, and if nothing is saved. */
  readonly call: (year: string) => string;
  readonly callAnyway: string;
  readonly fee: string;
  /** The line over a bill that someone sent, and over the sample bill if the amount of the address is unclear. */
  readonly sent: string;
  readonly unclear: string;
  /** The title of the page with a bill. */
  readonly pageTitle: (before: string, after: string) => string;
  /** The button for the address of the bill. Phones share it. */
  readonly copy: CopyWords & { readonly share: string };
}
