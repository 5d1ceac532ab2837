// Says why an export could not be checked.
export class SitegateError extends Error {
  name = 'SitegateError';

  constructor(message, { exitCode, report, cause } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.report = report;
  }
}
