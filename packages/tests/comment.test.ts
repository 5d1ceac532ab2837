// Tests scripts/comment.sh with stubs of `gh` and `curl`: it posts one comment, updates it, and refuses other files.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { filled } from '../../scripts/packages/manifests.mjs';
import { folder, root, run } from './folder.ts';

const marker = '<!-- sitegate review -->';
const variables = {
  REPOSITORY: 'acme/site',
  HEAD_SHA: 'abc',
  HEAD_OWNER: 'fork',
  HEAD_BRANCH: 'main',
  COMMENT_TOKEN: 'secret-token',
  CI_API_V4_URL: 'https://gitlab.example/api/v4',
  CI_MERGE_REQUEST_PROJECT_ID: '7',
  CI_MERGE_REQUEST_IID: '12',
};

/** Runs the script with a stub of a program, which prints an answer for a part of its arguments. */
function comment(service: string, program: string, answers: Record<string, string>, review = `${marker}\nText`) {
  const cases = Object.entries(answers).map(([part, answer]) => `*'${part}'*) printf '%s\\n' '${answer}' ;;`);
  const stub = ['#!/bin/sh', 'echo "$*" >> "$LOG"', 'case "$*" in', ...cases, 'esac', ''].join('\n');
  const here = folder({ [`bin/${program}`]: stub, 'review.md': review });
  chmodSync(join(here, 'bin', program), 0o755);
  const LOG = join(here, 'log');
  const env = { ...variables, LOG, PATH: `${join(here, 'bin')}:${process.env['PATH'] ?? ''}` };
  const { status, stdout } = run('sh', [join(root, 'scripts/comment.sh'), service, 'review.md'], here, env);
  return { status, stdout, calls: existsSync(LOG) ? readFileSync(LOG, 'utf8').trim().split('\n') : [] };
}

test('posts a comment on GitHub', () => {
  const { status, calls } = comment('github', 'gh', { 'acme/site/pulls ': '12' });
  expect(status).toBe(0);
  expect(calls.at(-1)).toBe('api --method POST repos/acme/site/issues/12/comments -F body=@review.md --silent');
});

test('updates the comment of an earlier run on GitHub', () => {
  const { status, calls } = comment('github', 'gh', { 'acme/site/pulls ': '12', '--paginate': '99' });
  expect(status).toBe(0);
  expect(calls.at(-1)).toBe('api --method PATCH repos/acme/site/issues/comments/99 -F body=@review.md --silent');
});

test('does nothing without an open pull request of the commit', () => {
  const { status, stdout, calls } = comment('github', 'gh', {});
  expect([status, calls.length]).toEqual([0, 1]);
  expect(stdout).toContain('no open pull request has this commit');
});

test('posts and updates a note on GitLab, without the token in arguments', () => {
  const posted = comment('gitlab', 'curl', { 'per_page=100': '[]' });
  expect(posted.status).toBe(0);
  expect(posted.calls.at(-1)).toMatch(/--request POST .*merge_requests\/12\/notes$/u);
  const updated = comment('gitlab', 'curl', { 'per_page=100': `[{"id":5,"body":"x"},{"id":6,"body":"${marker}"}]` });
  expect(updated.calls.at(-1)).toMatch(/--request PUT .*\/notes\/6$/u);
  expect(updated.calls.join('\n')).not.toContain('secret-token');
});

test.each([
  ['another file', 'Hello'],
  ['a large file', `${marker}\n${'x'.repeat(70_000)}`],
])('refuses %s', (_, review) => {
  const { status, calls } = comment('github', 'gh', {}, review);
  expect([status, calls]).toEqual([1, []]);
});

test('the GitLab template has this script', () => {
  const text = filled('gitlab-review.yml', { VERSION: '1.2.3', RELEASES: 'https://example.com' });
  const jobs = parse(text.slice(text.indexOf('\n---\n') + 5)) as Record<string, { script: string[] }>;
  const here = folder({});
  const { status } = run('sh', ['-c', jobs['sitegate-comment']?.script[1] ?? ''], here, { CI_BUILDS_DIR: here });
  expect(status).toBe(0);
  expect(readFileSync(join(here, 'comment.sh'), 'utf8')).toBe(readFileSync(join(root, 'scripts/comment.sh'), 'utf8'));
});
