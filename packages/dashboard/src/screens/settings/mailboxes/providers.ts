import type { MAIL_SECURITIES } from '@foyer/protocol/values/wire-names';

type Security = (typeof MAIL_SECURITIES)[number];

/** Where a mail server listens. */
export interface Server {
  host: string;
  port: number;
  security: Security;
}

const tls = (host: string, port: number): Server => ({ host, port, security: 'tls' });
const starttls = (host: string): Server => ({ host, port: 587, security: 'starttls' });

export interface Provider {
  id: string;
  /** A product's name, the same in every language. */
  name: string;
  imap: Server;
  smtp: Server;
  /** Mail to NAME+anything@DOMAIN arrives too, without a setting for it. */
  hasPlusAddresses?: true;
  /** Domains of the provider's own addresses. */
  domains: readonly string[];
  /** Where its users create a password for Foyer. */
  passwordUrl?: string;
}

/** Mail providers whose servers are known, in the order of the choice. */
export const PROVIDERS = [
  {
    id: 'google',
    name: 'Gmail, Google Workspace',
    imap: tls('imap.gmail.com', 993),
    smtp: tls('smtp.gmail.com', 465),
    hasPlusAddresses: true,
    domains: ['gmail.com', 'googlemail.com'],
    passwordUrl: 'https://myaccount.google.com/apppasswords',
  },
  {
    id: 'microsoft',
    name: 'Microsoft 365, Outlook.com',
    imap: tls('outlook.office365.com', 993),
    smtp: starttls('smtp.office365.com'),
    domains: ['outlook.com', 'outlook.de', 'hotmail.com', 'hotmail.de', 'live.com', 'live.de', 'msn.com'],
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    imap: tls('imap.mail.me.com', 993),
    smtp: starttls('smtp.mail.me.com'),
    domains: ['icloud.com', 'me.com', 'mac.com'],
    passwordUrl: 'https://account.apple.com',
  },
  {
    id: 'fastmail',
    name: 'Fastmail',
    imap: tls('imap.fastmail.com', 993),
    smtp: tls('smtp.fastmail.com', 465),
    hasPlusAddresses: true,
    domains: ['fastmail.com', 'fastmail.fm'],
    passwordUrl: 'https://app.fastmail.com/settings/security',
  },
  {
    id: 'yahoo',
    name: 'Yahoo Mail',
    imap: tls('imap.mail.yahoo.com', 993),
    smtp: tls('smtp.mail.yahoo.com', 465),
    domains: ['yahoo.com', 'yahoo.de', 'yahoo.fr', 'yahoo.co.uk', 'yahoo.es', 'yahoo.it', 'ymail.com'],
    passwordUrl: 'https://login.yahoo.com/account/security',
  },
  {
    id: 'gmx',
    name: 'GMX (gmx.de, gmx.net)',
    imap: tls('imap.gmx.net', 993),
    smtp: tls('mail.gmx.net', 465),
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
  },
  {
    id: 'gmx_com',
    name: 'GMX (gmx.com)',
    imap: tls('imap.gmx.com', 993),
    smtp: tls('mail.gmx.com', 465),
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk'],
  },
  {
    id: 'web_de',
    name: 'WEB.DE',
    imap: tls('imap.web.de', 993),
    smtp: starttls('smtp.web.de'),
    domains: ['web.de'],
  },
  {
    id: 'ionos',
    name: 'IONOS',
    imap: tls('imap.ionos.de', 993),
    smtp: tls('smtp.ionos.de', 465),
    domains: [],
  },
  {
    id: 'zoho',
    name: 'Zoho Mail (zoho.com)',
    imap: tls('imap.zoho.com', 993),
    smtp: tls('smtp.zoho.com', 465),
    domains: ['zoho.com', 'zohomail.com'],
    passwordUrl: 'https://accounts.zoho.com/home#security/app_password',
  },
  {
    id: 'zoho_eu',
    name: 'Zoho Mail (zoho.eu)',
    imap: tls('imap.zoho.eu', 993),
    smtp: tls('smtp.zoho.eu', 465),
    domains: ['zoho.eu', 'zohomail.eu'],
    passwordUrl: 'https://accounts.zoho.eu/home#security/app_password',
  },
  {
    id: 'mailbox_org',
    name: 'mailbox.org',
    imap: tls('imap.mailbox.org', 993),
    smtp: tls('smtp.mailbox.org', 465),
    hasPlusAddresses: true,
    domains: ['mailbox.org'],
  },
  {
    id: 'posteo',
    name: 'Posteo',
    imap: tls('posteo.de', 993),
    smtp: tls('posteo.de', 465),
    hasPlusAddresses: true,
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu', 'posteo.at', 'posteo.ch'],
  },
] as const satisfies readonly Provider[];

export type ProviderId = (typeof PROVIDERS)[number]['id'];
/** A known provider, or any other server. */
export type ProviderChoice = ProviderId | 'other';

/** The domain of a complete address, in lower case. */
const domainOf = (address: string): string =>
  address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();

/** @returns undefined for `other` */
export const providerOf = (id: ProviderChoice): Provider | undefined =>
  PROVIDERS.find((provider) => provider.id === id);

/** The provider whose domain an address has. A company's own domain says nothing about its provider. */
export function guessProvider(address: string): ProviderId | undefined {
  const domain = domainOf(address);
  const has = ({ domains }: Provider): boolean => domains.includes(domain);
  return PROVIDERS.find(has)?.id;
}

/** The provider of a stored server. */
export const providerOfHost = (host: string): ProviderChoice =>
  PROVIDERS.find(({ imap }) => imap.host === host.toLowerCase())?.id ?? 'other';
