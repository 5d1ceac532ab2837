/** The report of a check, as `sitegate check --format json` prints it. Generated from the schema: `npm run package -- --types`. */
/* oxlint-disable max-lines */

/** The report of one check. It does not depend on the order of threads. */
export interface Report {
  /** What findings have in common, most important first. */
  causes: Cause[];
  /** How long the check took, in milliseconds. */
  elapsed_ms?: number | null | undefined;
  /** What other hosts said, where they were asked. */
  external?: OtherHosts | null | undefined;
  /** Every finding, by file and place. */
  findings: Finding[];
  /** Every finding that was let pass. */
  ignored?: IgnoredFinding[] | undefined;
  /** What was let pass, counted by who excuses it and why. */
  ignores?: IgnoreSummary[] | undefined;
  /** Which pages other files refer to. */
  inbound: InboundLinks;
  /** Where the site lives, by the keys of the contract's `[site]`, as far as that was taken from the export. */
  inferred?: Record<string, InferredValue> | undefined;
  /** The export's folder, as it was given. */
  root: string;
  /** The export's folder from the root of the repository; absolute if it is not in it. */
  root_path: string;
  /** The version of this shape: it grows when a field is removed or changes its meaning. */
  schema_version: number;
  /** Why not all of a live site was looked at, a line for each reason. */
  skipped?: string[] | undefined;
  /** What was looked at, and how much was found. */
  summary: Summary;
  /** The program that wrote it. */
  tool: Tool;
  /** What could not be read: then nothing can be promised of the export. */
  unreadable?: string[] | undefined;
}

/** What a rule is about. */
export type Category = 'links' | 'contract' | 'files' | 'hosting' | 'content' | 'metadata' | 'urls' | 'security' | 'external' | 'live' | 'policy';

/** What findings have in common. Its rule, its severity and its name tell it from all others, from run to run. */
export interface Cause {
  /** Its name, which its findings give. */
  cause: string;
  /** In how many files. */
  files: number;
  /** How many findings it has. */
  findings: number;
  /** The rule's id. */
  rule: string;
  /** How much its findings weigh. */
  severity: 'error' | 'warning';
  /** Whether its name is that of a thing that its findings are about, such as the path that they refer to. */
  thing?: boolean | undefined;
}

/** What is unusual about the file of a finding. */
export interface Document {
  /** The path of a file that is not in the export, such as the contract, from the root of the repository. */
  path?: string | null | undefined;
  /** The path in the export, percent-encoded, of a file whose name is not UTF-8. */
  uri?: string | null | undefined;
}

/** A finding. */
export interface Finding {
  /** Where else it may have been written, the likeliest first. */
  candidates?: SourcePlace[] | undefined;
  /** What the rule is about. */
  category: Category;
  /** The name of what it has in common with others. */
  cause: string;
  /** Its column in characters, counted from 1. */
  column: number;
  /** What is unusual about its file. */
  document?: Document | null | undefined;
  /** The column behind its last character, counted from 1. */
  end_column: number;
  /** The line that it ends on, counted from 1. */
  end_line: number;
  /** The file of the export, by its path there; else the contract, or the baseline. */
  file: string;
  /** The way out. */
  help: string | null;
  /** Its line, counted from 1. */
  line: number;
  /** What is wrong, in one sentence. */
  message: string;
  /** The rule's id. */
  rule: string;
  /** How much it weighs. */
  severity: 'error' | 'warning';
  /** The line that it begins on; of a report with very many findings, not every finding has one. */
  snippet?: Snippet | null | undefined;
  /** Where it was written in the sources, where the contract names these and one place is likeliest. */
  source?: Source | null | undefined;
  /** The bytes that it is about. */
  span: Span;
  /** The reference as it is written, where it is about one. */
  url: string | null;
  /** Whether its file is UTF-16: the span then counts the bytes of its text in UTF-8. */
  utf16?: boolean | undefined;
}

/** The findings of one rule that are let pass for one reason, as reports and seals tell them. */
export interface IgnoreSummary {
  /** `page`, `contract` or `baseline`. */
  by: string;
  /** In how many files. */
  files: number;
  /** How many findings there are. */
  findings: number;
  /** Where it is excused: the place in the contract, the baseline's file, or the first place of such an exception in a page. */
  place: string;
  /** Why, in the words that were given. */
  reason?: string | null | undefined;
  /** The rule's id. */
  rule: string;
}

/** A finding that was let pass. */
export interface IgnoredFinding {
  /** Who lets it pass. */
  by: 'page' | 'contract' | 'baseline';
  /** Where else it may have been written, the likeliest first. */
  candidates?: SourcePlace[] | undefined;
  /** What the rule is about. */
  category: Category;
  /** The name of what it has in common with others. */
  cause: string;
  /** Its column in characters, counted from 1. */
  column: number;
  /** What is unusual about its file. */
  document?: Document | null | undefined;
  /** The column behind its last character, counted from 1. */
  end_column: number;
  /** The line that it ends on, counted from 1. */
  end_line: number;
  /** The file of the export, by its path there; else the contract, or the baseline. */
  file: string;
  /** The way out. */
  help: string | null;
  /** Its line, counted from 1. */
  line: number;
  /** What is wrong, in one sentence. */
  message: string;
  /** Why, in the words that were given; the baseline gives none. */
  reason: string | null;
  /** The rule's id. */
  rule: string;
  /** How much it weighs. */
  severity: 'error' | 'warning';
  /** The line that it begins on; of a report with very many findings, not every finding has one. */
  snippet?: Snippet | null | undefined;
  /** Where it was written in the sources, where the contract names these and one place is likeliest. */
  source?: Source | null | undefined;
  /** The bytes that it is about. */
  span: Span;
  /** The reference as it is written, where it is about one. */
  url: string | null;
  /** Whether its file is UTF-16: the span then counts the bytes of its text in UTF-8. */
  utf16?: boolean | undefined;
}

/** Which pages other files refer to. */
export interface InboundLinks {
  /** The pages that most other files refer to, at most 15. */
  most_linked: LinkedPage[];
  /** Number of pages that no other file refers to, without the front page and the 404 page. */
  unlinked: number;
  /** The first 200 of these. */
  unlinked_pages: string[];
}

/** A setting of the contract's `[site]` that it leaves open, and what the export says of it. */
export interface InferredValue {
  /** What says so. */
  evidence: string;
  /** What was taken, as the contract would write it. */
  value: string;
}

/** A page, and how many other files refer to it. */
export interface LinkedPage {
  /** Its path in the export. */
  file: string;
  /** Number of other files that refer to it. */
  files: number;
}

/** What one host said. */
export interface OtherHost {
  /** Addresses that these name, without their fragments. */
  addresses: number;
  /** Requests at once, at most. */
  at_once: number;
  /** Addresses that are not there. */
  broken: number;
  /** Its name, with its port where that is an unusual one. */
  host: string;
  /** References that lead there. */
  links: number;
  /** Addresses that have moved for good. */
  moved: number;
  /** Requests that were sent. */
  requests: number;
  /** From the first request to the last answer; none where nothing was asked. */
  seconds: number;
  /** Addresses that are there. */
  there: number;
  /** Addresses of which nobody can tell. */
  unverified: number;
}

/** What other hosts said: all together, and each. */
export interface OtherHosts {
  /** Addresses that these name, without their fragments. */
  addresses: number;
  /** Addresses that are not there. */
  broken: number;
  /** Those that most links lead to first. */
  hosts: OtherHost[];
  /** Addresses that were known from earlier, and not asked for. */
  known: number;
  /** References that lead there. */
  links: number;
  /** Addresses that have moved for good. */
  moved: number;
  /** Requests that were sent. */
  requests: number;
  /** From the first address that was met to the last answer. */
  seconds: number;
  /** Whether the requests were stopped before all had answered. */
  stopped?: boolean | undefined;
  /** Addresses that are there. */
  there: number;
  /** Addresses of which nobody can tell. */
  unverified: number;
}

/** The line that a finding begins on, or the part of it around the finding. */
export interface Snippet {
  /** Whether the line ends after the text. */
  cut_end?: boolean | undefined;
  /** Whether the line begins before the text. */
  cut_start?: boolean | undefined;
  /** How many characters it is about. */
  length: number;
  /** All that the finding is about, where that is more than is marked on the line. */
  marked?: string | null | undefined;
  /** The first character that the finding is about, counted from 0. */
  start: number;
  /** The text, without its indentation. */
  text: string;
}

/** The place in the sources where a finding was written; where that is not certain, the likeliest of the candidates. */
export interface Source {
  /** Whether it was written there and nowhere else. */
  certain: boolean;
  /** Its column in characters, counted from 1. */
  column: number;
  /** The file. */
  file: string;
  /** Its characters. */
  length?: number | undefined;
  /** Its line, counted from 1. */
  line: number;
  /** The address of the line, where the contract names one. */
  link?: string | null | undefined;
  /** The file from the root of the repository, where that is another path. */
  path?: string | null | undefined;
  /** The line there, once for each place. */
  snippet?: Snippet | null | undefined;
}

/** A place in the sources, its path from the working directory. */
export interface SourcePlace {
  /** Its column in characters, counted from 1. */
  column: number;
  /** The file. */
  file: string;
  /** Its characters. */
  length?: number | undefined;
  /** Its line, counted from 1. */
  line: number;
  /** The address of the line, where the contract names one. */
  link?: string | null | undefined;
  /** The file from the root of the repository, where that is another path. */
  path?: string | null | undefined;
}

/** A range of bytes of a file, counted from 0. */
export interface Span {
  /** The first behind it. */
  end: number;
  /** The first. */
  start: number;
}

/** What a run looked at, and what it found. */
export interface Summary {
  /** Findings that the baseline knows, and that are not reported. */
  baselined?: number | undefined;
  /** Imports whose address is only known when they run, so that they were not followed. */
  computed?: number | undefined;
  /** Findings at error level. */
  errors: number;
  /** Files in the export. */
  files: number;
  /** Findings that an exception excuses, and that are not reported. */
  ignored?: number | undefined;
  /** References that were resolved. */
  links: number;
  /** HTML pages among them. */
  pages: number;
  /** Script files that were read. */
  scripts: number;
  /** Findings at warning level. */
  warnings: number;
}

/** The program that wrote a report. */
export interface Tool {
  /** `sitegate`. */
  name: string;
  /** Its version. */
  version: string;
}
