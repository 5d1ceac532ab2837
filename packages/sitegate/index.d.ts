/** Checks exports of static sites, and returns the report of `sitegate check --format json`. */
import type { Contract } from './contract.js';
import type { Report } from './report.js';

export type { Contract } from './contract.js';
export type * from './report.js';

/** Options of the plugins, such as `sitegate/vite`. */
export interface GateOptions {
  /**
   * The contract: a file, or the settings of `sitegate.toml` inline. Paths are relative to the working directory.
   *
   * The default is `sitegate.toml` if it exists, or else the default rules. `false` ignores an existing file.
   */
  contract?: string | Contract | false;
  /** Checks external links. By default, no request is sent. */
  external?: boolean;
  /** File to write the seal to, for `sitegate publish`. It is written only if the check passes. */
  seal?: string;
}

/** Options of {@link check}. */
export interface CheckOptions extends GateOptions {
  /** The working directory. The default is that of this process. */
  cwd?: string;
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
 * Checks an export against its contract. It passes if `summary.errors` is 0.
 *
 * @param folder - The folder of the export. The default is `site.root` of the contract.
 * @returns The report.
 * @throws {@link SitegateError} if the export cannot be checked.
 */
export declare function check(folder?: string, options?: CheckOptions): Promise<Report>;
