/** Checks exports of static sites, and tells what it finds as the report that `sitegate check --format json` prints. */
import type { Contract } from './contract.js';
import type { Report } from './report.js';

export type { Contract } from './contract.js';
export type * from './report.js';

/** How the plugins of `sitegate/vite` and its like hold an export to its contract. */
export interface GateOptions {
  /**
   * The contract: a file, or its settings as `sitegate.toml` has them. Paths are relative to the working directory.
   *
   * Without it, `sitegate.toml` holds if it is there, else the default rules. `false` leaves a file that is there unread.
   */
  contract?: string | Contract | false;
  /** Asks other hosts for what the export links to. Nothing leaves the machine otherwise. */
  external?: boolean;
  /** Where to write the seal that `sitegate publish` asks for; it is written only on a pass. */
  seal?: string;
}

/** How {@link check} is run. */
export interface CheckOptions extends GateOptions {
  /** The working directory, where it is not this process's own. */
  cwd?: string;
}

/** Thrown where an export could not be checked: no program, a bad contract, a folder that is not there, a file that cannot be read, no page. */
export declare class SitegateError extends Error {
  readonly name: 'SitegateError';
  /** What the program ended with, if it could be run and no signal ended it. */
  readonly exitCode: number | undefined;
  /** What was found all the same. */
  readonly report: Report | undefined;
}

/**
 * Holds an export to its contract. It passes where `summary.errors` is 0.
 *
 * @param folder - The export's folder; without it, `site.root` of the contract.
 * @returns What was found.
 * @throws {@link SitegateError} where it could not be checked.
 */
export declare function check(folder?: string, options?: CheckOptions): Promise<Report>;
