// Renders the table of docs/internals/release.md, and the list of what this machine replaces.

/** @typedef {import('./workflow.mjs').Row & { event: string }} Rehearsed */

/** @param {Rehearsed} row */
const runOf = ({ workflow, event }) => (event === '' ? workflow : `${workflow} (${event})`);

/**
 * Returns the table of the page: for each run, the number of jobs that passed, and the other jobs with their verdicts.
 *
 * @param {Rehearsed[]} rows
 */
export function table(rows) {
  const lines = [...new Set(rows.map(runOf))].map((run) => {
    const jobs = rows.filter((row) => runOf(row) === run);
    const others = jobs.filter(({ verdict }) => verdict !== 'passed');
    return `| ${run} | ${jobs.length - others.length} | ${others.map(({ job, verdict }) => `${job}: ${verdict}`).join('; ')} |`;
  });
  return ['| run | passed | others |', '|---|---:|---|', ...lines].join('\n');
}

/**
 * Lists what each job replaces.
 *
 * @param {Rehearsed[]} rows
 */
export function replacements(rows) {
  const jobs = rows.filter(({ replaced }) => replaced.length > 0);
  return jobs.map((row) => [`${runOf(row)}, ${row.job} replaces:`, ...new Set(row.replaced)].join('\n  ')).join('\n');
}
