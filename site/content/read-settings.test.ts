// Settings from the environment: what they override, and what is refused.
import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import base from './site.json' with { type: 'json' };

test('without an environment, site.json is what counts', () => {
  expect(readSettings(base, {})).toEqual(base);
  expect(readSettings(base, { SITE_NAME: '' }).name).toBe(base.name);
});

test('each variable overrides its setting', () => {
  const settings = readSettings(base, {
    SITE_NAME: 'Otherbrand',
    SITE_ORIGIN: 'https://other.example.org',
    SITE_DEMO_URL: 'https://book.example.org/call?from=site',
    SITE_EMAIL_TEAM: 'a@example.org',
    SITE_EMAIL_LEGAL: 'b@example.org',
    SITE_EMAIL_PRIVACY: 'c@example.org',
  });
  expect(settings).toMatchObject({
    name: 'Otherbrand',
    origin: 'https://other.example.org',
    demoUrl: 'https://book.example.org/call?from=site',
    email: { team: 'a@example.org', legal: 'b@example.org', privacy: 'c@example.org' },
  });
});

test('every bad value is named in one error', () => {
  const env = { SITE_NAME: ' x', SITE_ORIGIN: 'https://example.org/', SITE_DEMO_URL: 'javascript:alert(1)', SITE_EMAIL_TEAM: 'nobody' };
  for (const variable of Object.keys(env)) expect(() => readSettings(base, env)).toThrow(variable);
  expect(() => readSettings({ ...base, origin: 'http://example.org' }, {})).toThrow('site.json: origin');
});
