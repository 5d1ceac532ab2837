/** The report of a check, as `sitegate check --format json` prints it. Generated from the schema: `npm run package -- --types`. */
/* oxlint-disable max-lines */

/** The report of one check. It does not depend on the order of threads. */
export interface Report {
  /** Causes that findings have in common, the most important first. */
  causes: Cause[];
  /** The first 20 imports, and fetches of files, that were not followed, because their URL is computed at run time. */
  computed_imports?: ImportPlace[] | undefined;
  /** Duration of the check in milliseconds. */
  elapsed_ms?: number | null | undefined;
  /** Results of the external checks, if external links were checked. */
  external?: OtherHosts | null | undefined;
  /** All findings, by file and position. */
  findings: Finding[];
  /** All ignored findings. */
  ignored?: IgnoredFinding[] | undefined;
  /** Summary of the ignored findings, by rule, by what ignores them, and by reason. */
  ignores?: IgnoreSummary[] | undefined;
  /** The most linked pages, and the pages without links. */
  inbound: InboundLinks;
  /** Settings of the contract's `[site]` that were inferred from the export, by key. */
  inferred?: Record<string, InferredValue> | undefined;
  /** The folder that should probably be checked instead, if it explains most errors. */
  other_root?: OtherRoot | null | undefined;
  /** Folder of the export, as given. */
  root: string;
  /** Folder of the export, from the root of the repository; absolute if it is outside the repository. */
  root_path: string;
  /** The schema version. It grows when a field is removed or changes its meaning. */
  schema_version: number;
  /** Reasons why parts of a live site were not checked. */
  skipped?: string[] | undefined;
  /** Counts of what was checked and found. */
  summary: Summary;
  /** The program that wrote the report. */
  tool: Tool;
  /** Errors for everything that could not be read. If there are any, the verdict is `incomplete`. */
  unreadable?: string[] | undefined;
  /** Verdict of the check. */
  verdict: Verdict;
}

/** The category of a rule. */
export type Category = 'links' | 'contract' | 'files' | 'hosting' | 'content' | 'metadata' | 'urls' | 'security' | 'external' | 'live' | 'policy';

/** The common cause of findings. Rule, severity and name identify it from check to check. */
export interface Cause {
  /** Name of the cause, the same as in its findings. */
  cause: string;
  /** Number of files with these findings. */
  files: number;
  /** Number of findings. */
  findings: number;
  /** Id of the rule. */
  rule: string;
  /** Severity of the findings. */
  severity: 'error' | 'warning';
  /** Whether the cause is a thing that the findings refer to, such as a missing path, and not a message. */
  thing?: boolean | undefined;
}

/** How sure it is that a fix is what the author meant. */
export type Certainty = 'likely' | 'certain';

/** Details of a file that is not in the export, or whose name is not UTF-8. */
export interface Document {
  /** Path from the root of the repository, for a file that is not in the export, such as the contract. */
  path?: string | null | undefined;
  /** Percent-encoded path in the export, for a file whose name is not UTF-8. */
  uri?: string | null | undefined;
}

/** A replacement of a part of a file. */
export interface Edit {
  /** Column where it begins, in characters, counted from 1. */
  column: number;
  /** Offset after the last byte to replace. */
  end: number;
  /** Path of the file from the working directory. */
  file: string;
  /** Line where the edit begins, counted from 1. */
  line: number;
  /** Offset of the first byte of the line. */
  line_start: number;
  /** The new text; empty for a removal. */
  new: string;
  /** The text to replace; empty for an insertion. */
  old: string;
  /** Path of the file from the root of the repository, if it differs from `file`. */
  path?: string | null | undefined;
  /** Offset of the first byte to replace. */
  start: number;
}

/** A problem that a rule found. */
export interface Finding {
  /** Possible locations in the sources if none is certain, the most likely first. */
  candidates?: SourcePlace[] | undefined;
  /** Category of the rule. */
  category: Category;
  /** Name of the cause. Findings with the same rule, severity and cause are fixed together. */
  cause: string;
  /** Column where the finding begins, in characters, counted from 1. */
  column: number;
  /** Details of the file, if it is not in the export or its name is not UTF-8. */
  document?: Document | null | undefined;
  /** Column after the last character, counted from 1. */
  end_column: number;
  /** Line where the finding ends, counted from 1. */
  end_line: number;
  /** Path of the file in the export; or the name of the contract or of the baseline. */
  file: string;
  /** Edits that fix the problem, if they are known. */
  fix?: Fix | null | undefined;
  /** How to fix the problem. */
  help: string | null;
  /** Line where the finding begins, counted from 1. */
  line: number;
  /** The problem, in one sentence. */
  message: string;
  /** Id of the rule. */
  rule: string;
  /** Severity of the finding. */
  severity: 'error' | 'warning';
  /** The line on which the finding begins. In a report with many thousands of findings, some have no snippet. */
  snippet?: Snippet | null | undefined;
  /** Location in the sources, if the contract configures source mapping and one location ranks first. */
  source?: Source | null | undefined;
  /** Range of the finding in bytes. */
  span: Span;
  /** The reference as written, if the finding is about one. */
  url: string | null;
  /** Whether the file is UTF-16, or declares another encoding than UTF-8. The span then counts bytes of its text in UTF-8. */
  utf16?: boolean | undefined;
}

/** A fix of a finding: edits of the authored sources. The edits of all findings with certain fixes can be applied together. */
export interface Fix {
  /** How sure it is that this is what the author meant. */
  certainty: Certainty;
  /** The edits, in the order of their files and locations. They do not overlap. */
  edits: Edit[];
  /** Why this is the fix. */
  reason: string;
}

/** A summary of the findings of one rule that are ignored for one reason. */
export interface IgnoreSummary {
  /** What ignores them: `page`, `contract` or `baseline`. */
  by: string;
  /** Number of files with these findings. */
  files: number;
  /** Number of ignored findings. */
  findings: number;
  /** Location of the ignore: file and line in the contract, the baseline's path, or the first such ignore in a page. */
  place: string;
  /** The reason given. */
  reason?: string | null | undefined;
  /** Id of the rule. */
  rule: string;
}

/** An ignored finding. */
export interface IgnoredFinding {
  /** What ignores it: a page, the contract or the baseline. */
  by: 'page' | 'contract' | 'baseline';
  /** Possible locations in the sources if none is certain, the most likely first. */
  candidates?: SourcePlace[] | undefined;
  /** Category of the rule. */
  category: Category;
  /** Name of the cause. Findings with the same rule, severity and cause are fixed together. */
  cause: string;
  /** Column where the finding begins, in characters, counted from 1. */
  column: number;
  /** Details of the file, if it is not in the export or its name is not UTF-8. */
  document?: Document | null | undefined;
  /** Column after the last character, counted from 1. */
  end_column: number;
  /** Line where the finding ends, counted from 1. */
  end_line: number;
  /** Path of the file in the export; or the name of the contract or of the baseline. */
  file: string;
  /** Edits that fix the problem, if they are known. */
  fix?: Fix | null | undefined;
  /** How to fix the problem. */
  help: string | null;
  /** Line where the finding begins, counted from 1. */
  line: number;
  /** The problem, in one sentence. */
  message: string;
  /** The reason given. The baseline gives none. */
  reason: string | null;
  /** Id of the rule. */
  rule: string;
  /** Severity of the finding. */
  severity: 'error' | 'warning';
  /** The line on which the finding begins. In a report with many thousands of findings, some have no snippet. */
  snippet?: Snippet | null | undefined;
  /** Location in the sources, if the contract configures source mapping and one location ranks first. */
  source?: Source | null | undefined;
  /** Range of the finding in bytes. */
  span: Span;
  /** The reference as written, if the finding is about one. */
  url: string | null;
  /** Whether the file is UTF-16, or declares another encoding than UTF-8. The span then counts bytes of its text in UTF-8. */
  utf16?: boolean | undefined;
}

/** The location of an import, or of a fetch of a file, whose URL is computed at run time. */
export interface ImportPlace {
  /** Column in characters, counted from 1. */
  column: number;
  /** Path of the script, or of the page that contains it, in the export. */
  file: string;
  /** Line, counted from 1. */
  line: number;
}

/** The most linked pages, and the pages without links. */
export interface InboundLinks {
  /** The pages that most other files refer to, at most 15. */
  most_linked: LinkedPage[];
  /** Number of pages that no other file refers to, without the home page and the 404 page. */
  unlinked: number;
  /** The first 200 pages that no other file refers to. */
  unlinked_pages: string[];
}

/** A setting of the contract's `[site]` that the contract does not set, inferred from the export. */
export interface InferredValue {
  /** The evidence for the value. */
  evidence: string;
  /** Inferred value, as written in a contract. */
  value: string;
}

/** A page, and the number of files that refer to it. */
export interface LinkedPage {
  /** Path of the page in the export. */
  file: string;
  /** Number of other files that refer to it. */
  files: number;
}

/** The results of the external checks on one host. */
export interface OtherHost {
  /** Number of different URLs, without fragments. */
  addresses: number;
  /** Maximum number of concurrent requests. */
  at_once: number;
  /** Number of URLs that do not exist. */
  broken: number;
  /** Name of the host, with its port unless that is the default. */
  host: string;
  /** Number of links to these URLs. */
  links: number;
  /** Number of URLs that redirect permanently. */
  moved: number;
  /** Number of requests sent. */
  requests: number;
  /** Seconds from the first request to the last response; 0 if nothing was requested. */
  seconds: number;
  /** Number of URLs that exist. */
  there: number;
  /** Number of URLs that could not be verified. */
  unverified: number;
}

/** The results of the external checks, in total and by host. */
export interface OtherHosts {
  /** Number of different URLs, without fragments. */
  addresses: number;
  /** Number of URLs that do not exist. */
  broken: number;
  /** The hosts, those with the most links first. */
  hosts: OtherHost[];
  /** Number of URLs whose results were cached, so that they were not requested. */
  known: number;
  /** Number of links to these URLs. */
  links: number;
  /** Number of URLs that redirect permanently. */
  moved: number;
  /** Number of requests sent. */
  requests: number;
  /** Seconds from the first external URL to the last response. */
  seconds: number;
  /** Whether the checks were stopped before all hosts had answered. */
  stopped?: boolean | undefined;
  /** Number of URLs that exist. */
  there: number;
  /** Number of URLs that could not be verified. */
  unverified: number;
}

/** A folder that should probably be checked instead: most missing files are there, and most links of its pages work. */
export interface OtherRoot {
  /** The causes whose files are there, by their index in `causes`. */
  causes: number[];
  /** Path of the folder, relative to the same folder as `root`. */
  folder: string;
}

/** The source line on which a finding begins, or the part of it around the finding. */
export interface Snippet {
  /** Whether the line is cut after the text. */
  cut_end?: boolean | undefined;
  /** Whether the line is cut before the text. */
  cut_start?: boolean | undefined;
  /** Number of characters to mark. */
  length: number;
  /** The whole text that the finding is about, if it is longer than the mark. */
  marked?: string | null | undefined;
  /** Index of the first character to mark, counted from 0. */
  start: number;
  /** The text, without its indentation. */
  text: string;
}

/** The location of a finding in the authored sources. If it is not certain, it is the most likely candidate. */
export interface Source {
  /** Whether the location is certain: the finding cannot come from anywhere else. */
  certain: boolean;
  /** Column in characters, counted from 1. */
  column: number;
  /** Path of the file from the working directory. */
  file: string;
  /** Length in characters. */
  length?: number | undefined;
  /** Line, counted from 1. */
  line: number;
  /** URL of the line, if the contract configures one. */
  link?: string | null | undefined;
  /** Path of the file from the root of the repository, if it differs from `file`. */
  path?: string | null | undefined;
  /** The line at this location. Only the first finding of a cause in a file has one. */
  snippet?: Snippet | null | undefined;
}

/** A location in the authored sources. */
export interface SourcePlace {
  /** Column in characters, counted from 1. */
  column: number;
  /** Path of the file from the working directory. */
  file: string;
  /** Length in characters. */
  length?: number | undefined;
  /** Line, counted from 1. */
  line: number;
  /** URL of the line, if the contract configures one. */
  link?: string | null | undefined;
  /** Path of the file from the root of the repository, if it differs from `file`. */
  path?: string | null | undefined;
}

/** A range of bytes in a file, counted from 0. */
export interface Span {
  /** Offset after the last byte. */
  end: number;
  /** Offset of the first byte. */
  start: number;
}

/** Counts of what was checked and found. */
export interface Summary {
  /** Number of findings that are in the baseline. */
  baselined?: number | undefined;
  /** Number of imports, and of fetches of files, that were not followed, because their URL is computed at run time. */
  computed?: number | undefined;
  /** Number of findings with severity `error`. */
  errors: number;
  /** Number of files in the export. */
  files: number;
  /** Number of findings that a page or the contract ignores. */
  ignored?: number | undefined;
  /** Number of references that were resolved. */
  links: number;
  /** Number of HTML pages among them. */
  pages: number;
  /** Number of script files that were read. */
  scripts: number;
  /** Number of findings with severity `warning`. */
  warnings: number;
}

/** The program that wrote a report. */
export interface Tool {
  /** URL of the documentation, if the program was built with one. A rule's page is `/rules/RULE.html` below it. */
  documentation?: string | null | undefined;
  /** Name of the program: `sitegate`. */
  name: string;
  /** Version of the program. */
  version: string;
}

/** The verdict of a check, which determines the exit code. */
export type Verdict = 'passed' | 'failed' | 'incomplete';
