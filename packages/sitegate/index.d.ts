/** Checks exports of static sites, and returns the report of `sitegate check --format json`. */
import type { Contract } from './contract.js';
import type { Finding, Report } from './report.js';

export type { Contract } from './contract.js';
export type * from './report.js';

/** Options of a check. */
interface CommonOptions {
  /**
   * The contract: a file, or the settings of `sitegate.toml` inline. Paths are relative to the working directory.
   *
   * The default is `sitegate.toml` if it exists, or else the default rules. `false` ignores an existing file.
   */
  contract?: string | Contract | false;
  /** The baseline: a file with known findings, so that only new ones count. */
  baseline?: string;
  /** Names of environment variables that the contract may read. The default is none. */
  allowEnv?: string[];
  /** Checks external links. By default, no request is sent. */
  external?: boolean;
  /** File to write the seal to, for `sitegate publish`. It is written only if the check passes. */
  seal?: string;
  /** Further reports: files by format, such as `{ html: 'report.html' }`. */
  reports?: Partial<Record<'human' | 'json' | 'sarif' | 'junit' | 'github' | 'gitlab' | 'markdown' | 'html', string>>;
  /** Further arguments of `sitegate check`, such as `['--quiet']`. */
  args?: string[];
}

/** Options of the plugins, such as `sitegate/vite`. */
export interface GateOptions extends CommonOptions {
  /** What fails the build: errors (the default), also warnings, or nothing. A site that cannot be checked always fails it. */
  failOn?: 'error' | 'warning' | 'never';
}

/** Options of {@link check}. */
export interface CheckOptions extends CommonOptions {
  /** The working directory. The default is that of this process. */
  cwd?: string;
}

/** The id of a rule. */
export type RuleId = keyof NonNullable<Contract['rules']>;

/** A finding, with the page of its rule. */
export interface CheckFinding extends Finding {
  rule: RuleId;
  /** The page of the rule in the documentation, if the program was built with its URL. */
  rule_url?: string;
}

/** A report, and whether the site passed: whether no finding is an error. */
export interface CheckReport extends Report {
  findings: CheckFinding[];
  passed: boolean;
}

/** An export that cannot be checked: missing program, invalid contract, missing folder, unreadable file, or no page. */
export declare class SitegateError extends Error {
  readonly name: 'SitegateError';
  /** The exit code of the program, if it ran and no signal ended it. */
  readonly exitCode: number | undefined;
  /** The incomplete report, if any. */
  readonly report: Report | undefined;
}

/**
 * Checks an export against its contract. It passes if no finding is an error: see `passed`.
 *
 * @param folder - The folder of the export. The default is `site.root` of the contract.
 * @returns The report.
 * @throws {@link SitegateError} if the export cannot be checked.
 */
export declare function check(folder?: string, options?: CheckOptions): Promise<CheckReport>;
