import { email } from '@foyer/protocol';
import { StartError } from '../base/start-error.ts';

interface MailAddress {
  /** Undefined: the site's name is used. */
  readonly name: string | undefined;
  readonly address: string;
}

/** The mail server, and the sender's address. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  /** Fails without STARTTLS, so that nobody on the network gets the password. */
  readonly requireTls?: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Instead of the password. */
  readonly accessToken?: string;
  readonly from: MailAddress;
  /** The domains that sites' mailboxes may send from through this server. Their admins are not the operator. */
  readonly domains: readonly string[] | 'any';
}

const WANTED = 'an address such as smtp://user:password@mail.example.com:587, or smtps:// for port 465';

/** The value may contain a password, so the message doesn't repeat it. */
const badUrl = (): StartError => new StartError(`SMTP_URL is invalid: expected ${WANTED}`);

/** Decodes a user or password: `%40` is an @. */
function decoded(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch {
    throw badUrl();
  }
}

const isAddress = (value: string | undefined): value is string =>
  value !== undefined && email.safeParse(value).success;

/** `help@shop.example` or `Shop <help@shop.example>`. Rejects line breaks, so none gets into a header. */
function readFrom(value: string): MailAddress {
  const named = /^"?([^"<>\p{Cc}]{0,100}?)"?\s{0,3}<([^<>\s]+)>$/u.exec(value.trim());
  const address = (named?.[2] ?? value).trim();
  if (!isAddress(address)) {
    throw new StartError(
      `FOYER_MAIL_FROM=${JSON.stringify(value)} is invalid: expected an email address such as help@example.com, or Help <help@example.com>`,
    );
  }
  return { name: named?.[1]?.trim() || undefined, address };
}

/** `shop.example, shop.de`, or `*` for every domain. */
function readDomains(value: string | undefined): MailSettings['domains'] {
  const domains = (value ?? '').split(',').map((one) => one.trim().toLowerCase());
  if (domains.includes('*')) return 'any';
  const given = domains.filter((domain) => domain !== '');
  const bad = given.find((domain) => !isAddress(`somebody@${domain}`));
  if (bad !== undefined)
    throw new StartError(
      `FOYER_MAIL_DOMAINS is invalid: ${JSON.stringify(bad)} is not a domain such as example.com`,
    );
  return Object.freeze(given);
}

/**
 * Reads SMTP_URL, FOYER_MAIL_FROM and FOYER_MAIL_DOMAINS. Without the first, Foyer sends no mail. The second is optional if the user in
 * the first is an address.
 * @throws StartError with one line that names the variable
 */
export function readMailSettings(environment: Record<string, string | undefined>): MailSettings | undefined {
  const { SMTP_URL: value, FOYER_MAIL_FROM: sender, FOYER_MAIL_DOMAINS } = environment;
  const given = sender ? readFrom(sender) : undefined;
  const domains = readDomains(FOYER_MAIL_DOMAINS);
  if (!value) return undefined;
  const url = URL.parse(value);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname || url.search || url.hash)
    throw badUrl();
  if (url.pathname !== '' && url.pathname !== '/') throw badUrl();
  const user = decoded(url.username);
  const from = given ?? (isAddress(user) ? { name: undefined, address: user } : undefined);
  if (!from)
    throw new StartError('FOYER_MAIL_FROM is missing: SMTP_URL needs a sender, such as help@example.com');
  const secure = url.protocol === 'smtps:';
  return Object.freeze({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    user,
    password: decoded(url.password),
    from: Object.freeze(from),
    domains,
  });
}
