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

test('a host that browsers write in another way is named with that way', () => {
  for (const [origin, written] of [['https://WWW.Acme.com', 'https://www.acme.com'], ['https://www.müller.de', 'https://www.xn--mller-kva.de'], ['https://acme.com:443', 'https://acme.com']] as const) {
    expect(() => readSettings(base, { SITE_ORIGIN: origin }), origin).toThrow(`SITE_ORIGIN must be written as ${written}, not`);
  }
  for (const origin of ['https://acme.com/', 'https://acme.com/a', 'https://acme.com?a', 'http://acme.com', 'https://a@acme.com', 'acme.com']) {
    expect(() => readSettings(base, { SITE_ORIGIN: origin }), origin).toThrow('SITE_ORIGIN must be https:// and a host');
  }
});

test('a name that cannot be seen is refused, and so are controls in it', () => {
  for (const name of ['\u200B', '\u200D', 'Acme\tInc', 'Acme\u202E', 'Acme\u2028Inc', 'Acme\nInc', '\u00AD', 'x'.repeat(61)]) expect(() => readSettings(base, { SITE_NAME: name }), JSON.stringify(name)).toThrow('SITE_NAME must be 1 to 60 characters');
  for (const name of ['Böhm & Söhne', '日本の節約 🧾', '👩\u200D💻 Co', '…']) expect(readSettings(base, { SITE_NAME: name }).name).toBe(name);
});

test('a date that is none is refused', () => {
  for (const securityExpires of ['end of 2027', '2027-13-31T00:00:00Z', '2027-12-31']) expect(() => readSettings({ ...base, securityExpires }, {}), securityExpires).toThrow('site.json: securityExpires must be a date');
});

test('every bad value is named in one error', () => {
  const env = { SITE_NAME: ' x', SITE_ORIGIN: 'https://example.org/', SITE_DEMO_URL: 'javascript:alert(1)', SITE_EMAIL_TEAM: 'nobody' };
  for (const variable of Object.keys(env)) expect(() => readSettings(base, env)).toThrow(variable);
  expect(() => readSettings({ ...base, origin: 'http://example.org' }, {})).toThrow('site.json: origin');
});
