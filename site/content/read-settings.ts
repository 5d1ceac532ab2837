// Reads the settings from site.json and the environment, and refuses values that would publish a broken site.
import type { Settings } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mail = /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"'.]+$/;

function name(value: string): string | null {
  // The joiner of emoji is the one invisible character that a name may need.
  const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(value) && !/(?!\u200D)[\p{C}\p{Zl}\p{Zp}]/u.test(value);
  return value.trim() === value && value.length <= 60 && isVisible && !/[<>"]/.test(value)
    ? null
    : 'must be 1 to 60 characters on one line, without < > ", invisible characters, or spaces at the ends';
}

function parsed(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

function origin(value: string): string | null {
  const url = parsed(value);
  if (url === null || url.protocol !== 'https:' || url.href !== `${url.origin}/` || value.endsWith('/')) return 'must be https:// and a host, without a path or a trailing slash';
  // Browsers write hosts in lower case and in Punycode, and leave out :443. Links are compared with that form.
  return url.origin === value ? null : `must be written as ${url.origin}`;
}

function demoUrl(value: string): string | null {
  const url = parsed(value);
  return url !== null && url.protocol === 'https:' && !/[\s"<>]/.test(value) ? null : 'must be a full https:// address';
}

function date(value: string): string | null {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value)) ? null : 'must be a date and a time like 2027-12-31T00:00:00.000Z';
}

function address(value: string): string | null {
  return mail.test(value) ? null : 'must be a mail address';
}

/**
 * The settings of this build.
 *
 * @param base - What site.json says.
 * @param env - The environment; an empty variable counts as not set.
 * @throws An error that names every variable (or key of site.json) with a bad value.
 */
export function readSettings(base: Settings, env: Environment): Settings {
  const faults: string[] = [];
  const read = (variable: string | undefined, key: string, fallback: string, fault: (value: string) => string | null): string => {
    const override = variable === undefined ? undefined : env[variable];
    const fromEnv = override !== undefined && override !== '';
    const value = fromEnv ? override : fallback;
    const message = fault(value);
    if (message !== null) faults.push(`${fromEnv ? variable : `site.json: ${key}`} ${message}, not ${JSON.stringify(value)}`);
    return value;
  };
  const settings: Settings = {
    // The fonts have composed letters only.
    name: read('SITE_NAME', 'name', base.name, name).normalize('NFC'),
    origin: read('SITE_ORIGIN', 'origin', base.origin, origin),
    demoUrl: read('SITE_DEMO_URL', 'demoUrl', base.demoUrl, demoUrl),
    email: {
      team: read('SITE_EMAIL_TEAM', 'email.team', base.email.team, address),
      legal: read('SITE_EMAIL_LEGAL', 'email.legal', base.email.legal, address),
      privacy: read('SITE_EMAIL_PRIVACY', 'email.privacy', base.email.privacy, address),
    },
    securityExpires: read(undefined, 'securityExpires', base.securityExpires, date),
  };
  if (faults.length > 0) throw new Error(`The site's settings cannot be used:\n  ${faults.join('\n  ')}`);
  return settings;
}
