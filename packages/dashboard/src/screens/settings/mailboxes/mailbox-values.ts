import type { InputOf, MailboxRecord } from '@foyer/protocol';
import { MAIL_PROVIDERS, type MAIL_ROUTES, type MAIL_SIGN_INS } from '@foyer/protocol/values/wire-names';
import { guessProvider, type ProviderChoice, providerOf, providerOfHost, type Server } from './providers.ts';

/** How mail reaches a mailbox. */
export type MailRoute = (typeof MAIL_ROUTES)[number];

/** How a mailbox signs in to its servers. */
export type MailSignIn = (typeof MAIL_SIGN_INS)[number];
export type MailProvider = Exclude<MailSignIn, 'password'>;

/** The form of a mailbox. Numbers are text, as they are typed. */
export interface MailboxValues {
  address: string;
  route: MailRoute;
  /** The mail service's key, to check its signatures. */
  secret: string;
  provider: ProviderChoice;
  /** Chosen by hand: the address no longer guesses it. */
  isProviderChosen: boolean;
  signIn: MailSignIn;
  /** The providers that the operator has set up. */
  canSignIn: readonly MailProvider[];
  name: string;
  signature: string;
  /** An agent's id; empty: nobody. */
  assignee: string;
  /** A team's id; empty: none. */
  team: string;
  /** Empty: the address. */
  user: string;
  password: string;
  imapHost: string;
  imapPort: string;
  imapSecurity: Server['security'];
  folder: string;
  days: string;
  /** Whether replies are sent by a server of the mailbox's own. */
  isOwnSmtp: boolean;
  smtpHost: string;
  smtpPort: string;
  smtpSecurity: Server['security'];
  /** Signs in to send as it does to read. */
  isSameLogin: boolean;
  smtpUser: string;
  smtpPassword: string;
  hasPlusAddresses: boolean;
}

const IMAP: Server = { host: '', port: 993, security: 'tls' };
const SMTP: Server = { host: '', port: 587, security: 'starttls' };

const imapFields = ({ host, port, security }: Server) => ({
  imapHost: host,
  imapPort: String(port),
  imapSecurity: security,
});
const smtpFields = ({ host, port, security }: Server) => ({
  smtpHost: host,
  smtpPort: String(port),
  smtpSecurity: security,
});

/** The values of a new mailbox. */
export const NEW_MAILBOX: MailboxValues = {
  address: '',
  route: 'imap',
  secret: '',
  provider: 'other',
  isProviderChosen: false,
  signIn: 'password',
  canSignIn: [],
  name: '',
  signature: '',
  assignee: '',
  team: '',
  user: '',
  password: '',
  ...imapFields(IMAP),
  folder: 'INBOX',
  days: '0',
  isOwnSmtp: true,
  ...smtpFields(SMTP),
  isSameLogin: true,
  smtpUser: '',
  smtpPassword: '',
  hasPlusAddresses: false,
};

/** The stored mailbox, without its passwords, which never leave the server. */
export function valuesOf(mailbox: MailboxRecord): MailboxValues {
  const { address, imap, smtp, sign_in: signIn } = mailbox;
  const isWithPassword = signIn === 'password';
  return {
    ...NEW_MAILBOX,
    address,
    route: mailbox.route,
    provider: isWithPassword ? providerOfHost(imap?.host ?? '') : signIn,
    signIn,
    isProviderChosen: true,
    name: mailbox.name ?? '',
    signature: mailbox.signature ?? '',
    assignee: mailbox.assignee ? String(mailbox.assignee.id) : '',
    team: mailbox.team ? String(mailbox.team.id) : '',
    user: imap && imap.user !== address ? imap.user : '',
    ...imapFields(imap ?? IMAP),
    folder: imap?.folder ?? 'INBOX',
    days: String(imap?.days ?? 0),
    isOwnSmtp: smtp !== null,
    ...smtpFields(smtp ?? providerOf(providerOfHost(imap?.host ?? ''))?.smtp ?? SMTP),
    isSameLogin:
      imap !== null && (smtp === null || (smtp.user === imap.user && (isWithPassword || !smtp.has_password))),
    smtpUser: smtp?.user ?? '',
    hasPlusAddresses: mailbox.has_plus_addresses,
  };
}

/** Mail that isn’t fetched from a server comes with no sign-in that sending could share. */
export const withRoute = (route: MailRoute): Partial<MailboxValues> => ({
  route,
  isOwnSmtp: route === 'imap',
  isSameLogin: route === 'imap',
  hasPlusAddresses: route !== 'imap',
});

/** Microsoft accepts no passwords; at Google they are the way without the operator's help. */
function signInWith(id: ProviderChoice, canSignIn: MailboxValues['canSignIn']): MailSignIn {
  const provider = MAIL_PROVIDERS.find((one) => one === id);
  return provider && (provider === 'microsoft' || canSignIn.includes(provider)) ? provider : 'password';
}

/** Fills in a provider's servers and sign-in; `other` leaves the servers that are there. */
export function withProvider(
  id: ProviderChoice,
  { canSignIn }: Pick<MailboxValues, 'canSignIn'>,
): Partial<MailboxValues> {
  const provider = providerOf(id);
  if (!provider) return { provider: id, signIn: 'password' };
  return {
    provider: id,
    signIn: signInWith(id, canSignIn),
    ...imapFields(provider.imap),
    ...smtpFields(provider.smtp),
    isOwnSmtp: true,
    isSameLogin: true,
    hasPlusAddresses: provider.hasPlusAddresses === true,
  };
}

/** What another address changes: of a provider's own domain, the servers too, unless they were chosen by hand. */
export function withAddress(address: string, values: MailboxValues): Partial<MailboxValues> {
  if (values.isProviderChosen || values.route !== 'imap') return { address };
  const guessed = guessProvider(address);
  if (guessed) return { address, ...withProvider(guessed, values) };
  const isOther = values.provider === 'other';
  if (isOther) return { address };
  const { provider, signIn, hasPlusAddresses } = NEW_MAILBOX;
  return { address, provider, signIn, hasPlusAddresses, ...imapFields(IMAP), ...smtpFields(SMTP) };
}

const userOf = ({ user, address }: MailboxValues): string => user.trim() || address.trim();

/** An empty password keeps the stored one. */
const passwordOf = (password: string) => (password === '' ? {} : { password });

/** The servers as operations take them. */
export function serversOf(values: MailboxValues) {
  const user = userOf(values);
  const { isSameLogin } = values;
  const isWithPassword = values.signIn === 'password';
  const imap = {
    ...(isWithPassword && {
      host: values.imapHost,
      port: Number(values.imapPort),
      security: values.imapSecurity,
      ...passwordOf(values.password),
    }),
    user,
    folder: values.folder.trim() || 'INBOX',
    days: Number(values.days),
  };
  if (!isWithPassword && values.isOwnSmtp && isSameLogin) return { imap, smtp: { user } };
  const smtp = values.isOwnSmtp
    ? {
        host: values.smtpHost,
        port: Number(values.smtpPort),
        security: values.smtpSecurity,
        user: isSameLogin ? user : values.smtpUser.trim() || null,
        ...passwordOf(isSameLogin ? values.password : values.smtpPassword),
      }
    : null;
  return { imap, smtp };
}

/** New or changed values of a mailbox, except its route, which never changes. */
export function inputOf(values: MailboxValues): Omit<InputOf<'mailboxes.create'>, 'route'> {
  const { route, secret, name, signature, assignee, team, hasPlusAddresses: has_plus_addresses } = values;
  const { imap, smtp } = serversOf(values);
  return {
    address: values.address,
    ...(route === 'imap' ? { imap, sign_in: values.signIn } : {}),
    ...(route === 'http' && secret.trim() ? { http: { secret: secret.trim() } } : {}),
    smtp,
    name: name.trim() || null,
    signature: signature.trim() || null,
    assignee_id: assignee === '' ? null : Number(assignee),
    team_id: team === '' ? null : Number(team),
    has_plus_addresses,
  };
}

/** Whether the password must be typed: there is none, or that for sending is no longer its own. */
export const needsPassword = (values: MailboxValues, stored: MailboxRecord | null): boolean =>
  values.route === 'imap' &&
  values.signIn === 'password' &&
  (!stored?.imap?.has_password || (values.isOwnSmtp && values.isSameLogin && !stored.smtp?.has_password));
