import type { MailSetup } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { MailRefused } from './mailer.ts';

/** The jobs that send mail, with the names that admins see. */
const QUEUES = {
  'mail.reply': 'reply',
  'mail.chat': 'chat',
  'mail.transcript': 'transcript',
  'mail.password': 'password',
  'mail.invitation': 'invitation',
  'notifications.mail': 'missed',
  'webhooks.tell_admin': 'webhook_disabled',
  'rules.tell_admin': 'rule_disabled',
  'mail.action': 'action',
  'mail.token_expiry': 'token_expiry',
} as const;

type MailFailure = MailSetup['failures'][number];

const SHOWN_MAX = 20;
/** How many failures are kept; older ones are deleted. */
const KEPT_MAX = 100;
const ERROR_MAX = 500;
/** Characters that may precede an address. */
const BEFORE_ADDRESS = [' ', '\n', '<', '(', '"', "'", ':', ',', ';'];

/** The mail server's response without our own words; undefined if there was none. */
function answerOf(error: unknown): string | undefined {
  return error instanceof Error && 'response' in error && typeof error.response === 'string'
    ? error.response
    : undefined;
}

/**
 * Why a mail was not sent, in the mail server's words if there are any. They may contain the recipient's address.
 */
export function mailErrorWords(error: unknown): string {
  const cause = error instanceof MailRefused ? error.cause : error;
  const words = answerOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return words.slice(0, ERROR_MAX).toWellFormed();
}

/** Turns `maya@shop.example` into `…@shop.example`. */
const withoutAddresses = (words: string): string =>
  words
    .split('@')
    .map((part, at, { length }) => {
      if (at === length - 1) return part;
      return `${part.slice(0, Math.max(...BEFORE_ADDRESS.map((mark) => part.lastIndexOf(mark))) + 1)}…`;
    })
    .join('@');

/**
 * Records for admins that a mail will never arrive. Names no person: the place that requested the mail shows whose
 * it was. Never throws, because its caller can't do anything more about the mail.
 */
export async function noteMailFailure(
  ctx: SiteContext,
  kind: MailFailure['kind'],
  error: unknown,
): Promise<void> {
  const words = withoutAddresses(mailErrorWords(error));
  try {
    await sql`
      with noted as (
        insert into mail_failures (site_id, kind, error, happened_at)
        values (${ctx.site.id}, ${kind}, ${words}, ${ctx.now()}))
      delete from mail_failures where site_id = ${ctx.site.id} and id <= (
        select id from mail_failures where site_id = ${ctx.site.id} order by id desc offset ${KEPT_MAX - 1} limit 1)`.execute(
      ctx.db,
    );
  } catch (thrown) {
    ctx.log.error({ err: thrown, kind }, 'recording a failed mail failed');
  }
}

interface FailureRow {
  kind: MailFailure['kind'];
  at: Date;
  error: string;
  next: Date | null;
}

/** Mails that will never arrive, and those that are being retried; newest first. */
export async function listMailFailures({ db, site }: SiteContext): Promise<MailFailure[]> {
  const { rows } = await sql<FailureRow>`
    select kind, happened_at as at, error, null::timestamptz as next from (
      select kind, happened_at, error from mail_failures where site_id = ${site.id} order by id desc limit ${SHOWN_MAX}) kept
    union all
    select ${JSON.stringify(QUEUES)}::jsonb ->> name as kind, coalesce(completed_on, started_on, created_on) as at,
      coalesce(output ->> 'response', output ->> 'message', '') as error, start_after as next
    from foyer_jobs.job
    where name = any (${Object.keys(QUEUES)}::text[]) and state = 'retry' and data ->> 'site_id' = ${String(site.id)}
    order by at desc limit ${SHOWN_MAX}`.execute(db);
  return rows.map(({ kind, at, error, next }) => ({
    kind,
    at_utc: at.toISOString(),
    error: withoutAddresses(error.slice(0, ERROR_MAX)),
    next_try_utc: next?.toISOString() ?? null,
  }));
}
