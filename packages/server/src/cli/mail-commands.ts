import type {
  BlockedSender,
  MailDecision,
  OutputOf,
  ReceivedMail,
  ReceivedMailDetail,
  SentMail,
} from '@foyer/protocol';
import { MAIL_OUTCOMES } from '@foyer/protocol';
import { type Command, Option } from 'commander';
import { answers, table } from './answer.ts';
import { idValue, siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

const LISTED = 50;

const fromOf = ({ from }: ReceivedMail): string => from?.address ?? '';
const outcomeOf = ({ outcome, reason }: ReceivedMail): string =>
  reason === null ? outcome : `${outcome} (${reason})`;

const receivedRow = (mail: ReceivedMail): string[] => [
  String(mail.id),
  mail.received_utc,
  fromOf(mail),
  mail.subject ?? '',
  outcomeOf(mail),
];

const sentRow = ({ id, created_utc, to, subject, state, error }: SentMail): string[] => [
  String(id),
  created_utc,
  to[0]?.address ?? '',
  subject ?? '',
  error === null ? state : `${state} (${error})`,
];

interface ListOptions {
  site: number;
  outcome?: ReceivedMail['outcome'];
  address?: string;
}

function addLists(mail: Command): void {
  answers<ListOptions>(
    mail
      .command('received')
      .description('list the newest received emails and what became of each')
      .addOption(siteOption())
      .addOption(new Option('--outcome <outcome>', 'only this outcome').choices(MAIL_OUTCOMES))
      .option('--address <address>', 'only emails of this sender'),
    ({ site, outcome, address }) =>
      withWorkplace(async ({ run }) => {
        const input = { limit: LISTED, ...(outcome && { outcome }), ...(address && { address }) };
        const { items } = (await run(site, 'received_mails.list', input)) as { items: ReceivedMail[] };
        const words =
          items.length > 0
            ? table(['ID', 'RECEIVED', 'FROM', 'SUBJECT', 'OUTCOME'], items.map(receivedRow))
            : 'No emails found.';
        return { data: { received_mails: items }, words };
      }),
  );
  answers<{ site: number }>(
    mail.command('sent').description('list the newest emails of the team').addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const { items } = (await run(site, 'sent_mails.list', { limit: LISTED })) as { items: SentMail[] };
        const words =
          items.length > 0
            ? table(['ID', 'CREATED', 'TO', 'SUBJECT', 'STATE'], items.map(sentRow))
            : 'No emails found.';
        return { data: { sent_mails: items }, words };
      }),
  );
}

function addShow(mail: Command): void {
  answers<{ site: number; id: number }>(
    mail
      .command('show')
      .description('show a received email with its text and why it is where it is')
      .addOption(siteOption())
      .requiredOption('--id <id>', 'id of the email (see foyer mail received)', idValue),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'received_mails.list', { id })) as ReceivedMailDetail;
        const lines = [
          `${fromOf(data)}: ${data.subject ?? ''}`,
          `${outcomeOf(data)}${data.detail === null ? '' : `: ${data.detail}`}`,
          ...(data.ticket_id === null ? [] : [`Ticket ${data.ticket_id}`]),
          '',
          data.content?.text ?? 'The raw message is no longer stored.',
        ];
        return { data, words: lines.join('\n') };
      }),
  );
}

function addDecision(
  mail: Command,
  name: string,
  action: MailDecision,
  description: string,
  done: string,
): void {
  answers<{ site: number; id: number }>(
    mail
      .command(name)
      .description(description)
      .addOption(siteOption())
      .requiredOption('--id <id>', 'id of the email (see foyer mail received)', idValue),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'received_mails.decide', { id, action })) as ReceivedMail;
        return { data, words: done.replace('{from}', fromOf(data)) };
      }),
  );
}

function addBlocked(mail: Command): void {
  answers<{ site: number }>(
    mail.command('blocked').description('list blocked senders').addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const input = { limit: 200 };
        const { items } = (await run(site, 'blocked_senders.list', input)) as { items: BlockedSender[] };
        const rows = items.map(({ id, sender, created_utc }) => [String(id), sender, created_utc]);
        const words = rows.length > 0 ? table(['ID', 'SENDER', 'BLOCKED'], rows) : 'Nobody is blocked.';
        return { data: { blocked_senders: items }, words };
      }),
  );
  answers<{ site: number; id: number }>(
    mail
      .command('unblock')
      .description('unblock a sender')
      .addOption(siteOption())
      .requiredOption('--id <id>', 'id of the blocked sender (see foyer mail blocked)', idValue),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'blocked_senders.delete', {
          id,
        })) as OutputOf<'blocked_senders.delete'>;
        return { data, words: `Sender ${id} unblocked.` };
      }),
  );
}

/** Adds `mail received`, `sent`, `show`, `accept`, `block`, `process-again`, `blocked` and `unblock`. */
export function addMailCommands(foyer: Command): void {
  const mail = foyer.command('mail').description('the mail log, suspended emails and blocked senders');
  addLists(mail);
  addShow(mail);
  addDecision(
    mail,
    'accept',
    'accept',
    'process a suspended email',
    'Accepted. It is processed within seconds.',
  );
  addDecision(mail, 'block', 'block_address', 'block the sender of a suspended email', 'Blocked {from}.');
  addDecision(
    mail,
    'process-again',
    'process_again',
    'process an email again that failed or was rejected',
    'Queued. It is processed within seconds.',
  );
  addBlocked(mail);
}
