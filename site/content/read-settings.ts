// Reads the settings from site.json and the environment, and refuses values that would publish a broken site.
import type { Settings } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mail = /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"'.]+$/;

function name(value: string): string | null {
  return value.trim() === value && value.length > 0 && value.length <= 60 && !/[<>"\n]/.test(value)
    ? null
    : 'must be 1 to 60 characters on one line, without < > " or spaces at the ends';
}

function parsed(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

function origin(value: string): string | null {
  const url = parsed(value);
  return url !== null && url.protocol === 'https:' && url.origin === value
    ? null
    : 'must be https:// and a host, without a path or a trailing slash';
}

function demoUrl(value: string): string | null {
  const url = parsed(value);
  return url !== null && url.protocol === 'https:' && !/[\s"<>]/.test(value) ? null : 'must be a full https:// address';
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
  const read = (variable: string, key: string, fallback: string, fault: (value: string) => string | null): string => {
    const override = env[variable];
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
    securityExpires: base.securityExpires,
  };
  if (faults.length > 0) throw new Error(`The site's settings cannot be used:\n  ${faults.join('\n  ')}`);
  return settings;
}
