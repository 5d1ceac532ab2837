// The shapes of the parts of the home page that react to the visitor.
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

/** The words of the visitor's own bill. */
export interface OwnBillContent {
  readonly title: string;
  readonly amounts: string;
  readonly choices: readonly number[];
  readonly exact: string;
  readonly less: string;
  readonly more: string;
  readonly sounds: string;
  /** What sounds like the visitor, by the slug of the feature that shrinks the line. */
  readonly habits: Readonly<Record<string, string>>;
  readonly sentence: (before: string, after: string, year: string) => string;
  /** The sentence if nothing is saved. */
  readonly nothing: (before: string) => string;
  readonly copy: { readonly label: string; readonly done: string; readonly failed: string };
  readonly note: string;
  readonly links: readonly SiteLink[];
}
