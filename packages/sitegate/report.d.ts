/** What a check finds, as `sitegate check --format json` prints it. Made from the schema: `npm run package -- --types`. */
/* oxlint-disable max-lines */

/** What `sitegate check --format json` writes. */
export interface Report {
  /** What findings have in common, most important first. */
  causes: Cause[];
  /** Every finding, by file and place. */
  diagnostics: Finding[];
  /** Every finding that was let pass. */
  excused?: ExcusedFinding[] | undefined;
  /** What was let pass, counted by who excuses it and why. */
  excuses?: ExcuseTally[] | undefined;
  /** What other hosts said, where they were asked. */
  external?: OtherHosts | null | undefined;
  /** Why not all of a live site was looked at, a line for each reason. */
  left_out?: string[] | undefined;
  /** The export's folder, as it was given. */
  root: string;
  /** The version of this shape: it grows when a field is removed or changes its meaning. */
  schema_version: number;
  /** What was looked at, and how much was found. */
  summary: Summary;
  /** Where the site lives, by the keys of the contract's `[site]`, as far as that was taken from the export. */
  taken?: Record<string, Taken> | undefined;
  /** The program that wrote it. */
  tool: Tool;
  /** What could not be read: then nothing can be promised of the export. */
  unread?: string[] | undefined;
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
}

/** The findings of one rule that are let pass for one reason, as reports and seals tell them. */
export interface ExcuseTally {
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
export interface ExcusedFinding {
  /** Who lets it pass. */
  by: 'page' | 'contract' | 'baseline';
  /** Its column in characters, counted from 1. */
  column: number;
  /** The file of the export, by its path there. */
  file: string;
  /** Its line, counted from 1. */
  line: number;
  /** What is wrong, in one sentence. */
  message: string;
  /** Why, in the words that were given; the baseline gives none. */
  reason: string | null;
  /** The rule's id. */
  rule: string;
  /** How much it would weigh. */
  severity: 'error' | 'warning';
  /** The reference as it is written, where it is about one. */
  url: string | null;
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
  /** Where it was written in the sources, where the contract names these and one place is likeliest. */
  source?: Source | null | undefined;
  /** The bytes that it is about. */
  span: Span;
  /** The reference as it is written, where it is about one. */
  url: string | null;
}

/** What one host said. */
export interface OtherHost {
  /** Addresses that these name, without their fragments. */
  addresses: number;
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
  /** Addresses that are there. */
  there: number;
  /** Addresses of which nobody can tell. */
  unverified: number;
}

/** The place in the sources where a finding was written; where that is not certain, the likeliest of the candidates. */
export interface Source {
  /** Whether it was written there and nowhere else. */
  certain: boolean;
  /** Its column in characters, counted from 1. */
  column: number;
  /** The file. */
  file: string;
  /** Its line, counted from 1. */
  line: number;
}

/** A place in the sources, its path from the working directory. */
export interface SourcePlace {
  /** Its column in characters, counted from 1. */
  column: number;
  /** The file. */
  file: string;
  /** Its line, counted from 1. */
  line: number;
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

/** A setting of the contract's `[site]` that it leaves open, and what the export says of it. */
export interface Taken {
  /** What says so. */
  evidence: string;
  /** What was taken, as the contract would write it. */
  value: string;
}

/** The program that wrote a report. */
export interface Tool {
  /** `sitegate`. */
  name: string;
  /** Its version. */
  version: string;
}
