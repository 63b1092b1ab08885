import type { InputOf, MailboxRecord, OutputOf } from '@foyer/protocol';
import { MAIL_ROUTES, MAIL_SECURITIES } from '@foyer/protocol';
import { type Command, Option } from 'commander';
import { answers, table } from './answer.ts';
import { readText } from './input-text.ts';
import { idValue, siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

const PASSWORD_INPUT_MAX = 4_096;

interface CreateOptions {
  site: number;
  address: string;
  name?: string;
  team?: number;
  route?: MailboxRecord['route'];
  host?: string;
  port?: number;
  security?: 'starttls' | 'tls';
  user?: string;
  password?: string;
  folder?: string;
  days?: number;
}

const ofOne = (command: Command): Command =>
  command
    .addOption(siteOption())
    .requiredOption('--id <id>', 'id of the mailbox (see foyer mailbox list)', idValue);

/** Reads the password from stdin for `-`: other users of the machine can see command lines. */
const passwordOf = async (option: string): Promise<string> =>
  option === '-' ? (await readText('-', PASSWORD_INPUT_MAX)).replace(/\r?\n$/, '') : option;

const stateOf = ({ enabled, problem, checked_utc }: MailboxRecord): string => {
  if (!enabled) return 'disabled';
  if (problem !== null) return `failing: ${problem}`;
  return checked_utc === null ? 'not connected yet' : `works (${checked_utc})`;
};

const rowOf = (mailbox: MailboxRecord): string[] => [
  String(mailbox.id),
  mailbox.address,
  mailbox.imap?.host ?? mailbox.route,
  stateOf(mailbox),
];

async function imapOf({
  address,
  host,
  ...rest
}: CreateOptions): Promise<InputOf<'mailboxes.create'>['imap']> {
  if (host === undefined) return undefined;
  const { port, security, user, password, folder, days } = rest;
  return {
    host,
    user: user ?? address,
    ...(port !== undefined && { port }),
    ...(security !== undefined && { security }),
    ...(password !== undefined && { password: await passwordOf(password) }),
    ...(folder !== undefined && { folder }),
    ...(days !== undefined && { days }),
  };
}

async function inputOf(options: CreateOptions): Promise<InputOf<'mailboxes.create'>> {
  const { address, name, team, route } = options;
  const imap = await imapOf(options);
  return {
    address,
    ...(name !== undefined && { name }),
    ...(team !== undefined && { team_id: team }),
    ...(route !== undefined && { route }),
    ...(imap && { imap }),
  };
}

const createdWords = ({ id, address, http }: MailboxRecord): string =>
  `Mailbox ${id} ${address} created.${
    http?.url ? `\nThe mail service posts to this URL, which is shown only once:\n${http.url}` : ''
  }`;

function addCreate(mailbox: Command): void {
  answers<CreateOptions>(
    mailbox
      .command('create')
      .description('create a mailbox: an address whose mail becomes tickets')
      .addOption(siteOption())
      .requiredOption('--address <address>', 'email address')
      .option('--name <name>', 'the sender’s name; default: the site’s')
      .option('--team <id>', 'id of the team that its new tickets belong to; default: none', idValue)
      .addOption(new Option('--route <route>', 'how mail reaches it; default: imap').choices(MAIL_ROUTES))
      .option('--host <host>', 'IMAP server; required for the route imap')
      .option('--port <port>', 'port of the IMAP server; default: 993', idValue)
      .addOption(new Option('--security <security>', 'encryption; default: tls').choices(MAIL_SECURITIES))
      .option('--user <user>', 'user name; default: the address')
      .option('--password <password>', 'password or app password; - reads stdin')
      .option('--folder <folder>', 'folder to read; default: INBOX')
      .option('--days <days>', 'also fetch mail of this many days; default: only new mail', idValue),
    async ({ site, ...options }) => {
      const input = await inputOf({ site, ...options });
      return withWorkplace(async ({ run }) => {
        const data = (await run(site, 'mailboxes.create', input)) as OutputOf<'mailboxes.create'>;
        return { data, words: createdWords(data) };
      });
    },
  );
}

function addTest(mailbox: Command): void {
  answers<{ site: number; id: number }>(
    ofOne(mailbox.command('test').description('sign in to the servers of a mailbox')),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'mailboxes.test', { id })) as OutputOf<'mailboxes.test'>;
        const words = data.results.map(
          ({ protocol, problem }) => `${protocol.toUpperCase()}: ${problem ?? 'works'}`,
        );
        return {
          data,
          words: words.join('\n') || 'This mailbox has no servers of its own.',
          failed: data.results.some(({ ok }) => !ok),
        };
      }),
  );
}

function addSwitch(mailbox: Command, name: 'enable' | 'disable', description: string): void {
  answers<{ site: number; id: number }>(
    ofOne(mailbox.command(name).description(description)),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const change = { id, enabled: name === 'enable' };
        const data = (await run(site, 'mailboxes.update', change)) as MailboxRecord;
        return { data, words: `Mailbox ${data.id} ${data.address} ${name}d.` };
      }),
  );
}

/** Adds `mailbox list`, `create`, `test`, `enable`, `disable` and `delete`. */
export function addMailboxCommands(foyer: Command): void {
  const mailbox = foyer.command('mailbox').description('mailboxes whose mail becomes tickets');
  answers<{ site: number }>(
    mailbox.command('list').description('list the mailboxes of a site').addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const { items } = (await run(site, 'mailboxes.list', { limit: 200 })) as { items: MailboxRecord[] };
        const words =
          items.length > 0
            ? table(['ID', 'ADDRESS', 'SERVER', 'STATUS'], items.map(rowOf))
            : 'No mailboxes yet.';
        return { data: { mailboxes: items }, words };
      }),
  );
  addCreate(mailbox);
  addTest(mailbox);
  addSwitch(mailbox, 'enable', 'fetch and accept mail again');
  addSwitch(mailbox, 'disable', 'stop fetching and accepting mail');
  answers<{ site: number; id: number }>(
    ofOne(mailbox.command('delete').description('delete a mailbox and its mail log; its tickets stay')),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'mailboxes.delete', { id })) as OutputOf<'mailboxes.delete'>;
        return { data, words: `Mailbox ${id} deleted.` };
      }),
  );
}
