// Finds errors of the content in the output of a build.

/**
 * Returns the error of the settings or of a legal text. It is for the person who wrote the content, who needs no stack.
 *
 * @param {string} output - The output of a build that failed.
 * @returns {string | undefined}
 */
export const contentError = (output) => /The (?:site's settings|legal texts) cannot be used:(?:\n {2}.*)+/.exec(output)?.[0].split(/\n\s+at /)[0];
