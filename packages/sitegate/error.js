// The error of an export that cannot be checked.
export class SitegateError extends Error {
  /** @override */
  name = 'SitegateError';

  /**
   * @param {string} message
   * @param {{ exitCode?: number | undefined, report?: import('./report.d.ts').Report | undefined, cause?: unknown }} [details]
   */
  constructor(message, { exitCode, report, cause } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.report = report;
  }
}
