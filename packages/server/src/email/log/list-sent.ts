import type {
  MailPerson,
  OutputOf,
  ParsedInputOf,
  SentMail,
  SentMailDetail,
  SentMailState,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { contains } from '../../db/keyset.ts';
import { allOf, idsBetween, scanPage } from './scan.ts';

type Input = ParsedInputOf<'sent_mails.list'>;

interface Row {
  id: number;
  mail_id: number;
  ticket_id: number;
  mailbox_id: number | null;
  mailbox_address: string | null;
  from_address: string | null;
  to_list: MailPerson[];
  cc_list: MailPerson[];
  bcc_list: MailPerson[];
  subject: string | null;
  message_id: string;
  state: SentMailState;
  error: string | null;
  created_at: Date;
}

/** A reply that was never queued as mail has none of these states. */
const IS_MAIL = sql<boolean>`r.mail_state in ('queued', 'sent', 'refused', 'failed', 'bounced')`;

async function sentRows({ db, site }: SiteContext, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select r.id, m.id as mail_id, m.ticket_id, m.mailbox_id, b.address as mailbox_address, m.from_address, m.to_list,
      m.cc_list, m.bcc_list, m.subject, m.message_id, r.mail_state as state, r.mail_error as error, m.created_at
    from ticket_mails m
    join ticket_replies r on r.site_id = m.site_id and r.id = m.reply_id
    left join mailboxes b on b.site_id = m.site_id and b.id = m.mailbox_id
    where m.site_id = ${site.id} and m.reply_id = any (${ids}::bigint[]) and m.is_outgoing and ${IS_MAIL}`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const present = (row: Row): SentMail => ({
  id: row.id,
  ticket_id: row.ticket_id,
  mailbox:
    row.mailbox_id === null || row.mailbox_address === null
      ? null
      : { id: row.mailbox_id, address: row.mailbox_address },
  from: row.from_address,
  to: row.to_list,
  cc: row.cc_list,
  bcc: row.bcc_list,
  subject: row.subject,
  state: row.state,
  error: row.error,
  created_utc: row.created_at.toISOString(),
});

async function getSent(ctx: SiteContext, id: number): Promise<SentMailDetail> {
  const [row] = await sentRows(ctx, [id]);
  if (!row) throw notFound('email');
  const attempts = await ctx.db
    .selectFrom('mail_attempts')
    .select(['attempted_at', 'outcome', 'answer'])
    .where('site_id', '=', ctx.site.id)
    .where('mail_id', '=', row.mail_id)
    .orderBy('id')
    .execute();
  return {
    ...present(row),
    message_id: row.message_id,
    attempts: attempts.map(({ attempted_at, ...attempt }) => ({
      attempted_utc: attempted_at.toISOString(),
      ...attempt,
    })),
  };
}

const addressed = (address: string): RawBuilder<boolean> => {
  const has = (list: string) =>
    sql`exists (select from jsonb_array_elements(${sql.ref(list)}) p where lower(p ->> 'address') = ${address.trim().toLowerCase()})`;
  return sql<boolean>`(${sql.join(['m.to_list', 'm.cc_list', 'm.bcc_list'].map(has), sql` or `)})`;
};

/** Filters without an index in the page's order. */
const restOf = ({ address, q, since, until }: Input): RawBuilder<boolean>[] => [
  ...(address === undefined ? [] : [addressed(address)]),
  ...(q === undefined ? [] : [sql<boolean>`coalesce(${contains(['m.subject'], q)}, false)`]),
  ...(since === undefined ? [] : [sql<boolean>`m.created_at >= ${new Date(since)}`]),
  ...(until === undefined ? [] : [sql<boolean>`m.created_at < ${new Date(until)}`]),
];

/** The replies whose mails can be of these times. */
const repliesOfTimes = ({ site }: SiteContext, column: string, input: Pick<Input, 'since' | 'until'>) =>
  idsBetween(
    {
      rows: sql`ticket_mails where site_id = ${site.id} and is_outgoing and reply_id is not null`,
      id: 'reply_id',
      at: 'created_at',
      column,
    },
    input,
  );

/** Mails in the order of their replies; undelivered ones are found by an index of their own. */
function scanOf(ctx: SiteContext, { ticket_id, mailbox_id, state, ...input }: Input) {
  const { site } = ctx;
  const rest = restOf(input as Input);
  const mails = sql`ticket_mails m`;
  const isOfMailbox = mailbox_id === undefined ? [] : [sql<boolean>`m.mailbox_id = ${mailbox_id}`];
  const isInState = state === undefined ? [] : [stateOf(state)];
  if (state !== undefined && state !== 'sent' && ticket_id === undefined)
    return {
      rows: sql`ticket_replies r join ${mails} on m.site_id = r.site_id and m.reply_id = r.id and m.is_outgoing
        where r.site_id = ${site.id} and r.mail_state = ${state} ${repliesOfTimes(ctx, 'r.id', input)}`,
      id: 'r.id',
      matches: allOf([...isOfMailbox, ...rest]),
    };
  const [indexed, others] =
    ticket_id === undefined ? [isOfMailbox, []] : [[sql<boolean>`m.ticket_id = ${ticket_id}`], isOfMailbox];
  return {
    rows: sql`${mails} where m.site_id = ${site.id} and m.is_outgoing and m.reply_id is not null
      ${indexed[0] ? sql`and ${indexed[0]}` : sql``} ${repliesOfTimes(ctx, 'm.reply_id', input)}`,
    id: 'm.reply_id',
    matches: allOf([...others, ...isInState, ...rest]),
  };
}

/** One lookup per row: the planner would read all replies for `exists`. */
const stateOf = (state: SentMailState): RawBuilder<boolean> => sql<boolean>`(
  select r.mail_state from ticket_replies r where r.site_id = m.site_id and r.id = m.reply_id) = ${state}`;

/** The team's mails to customers, newest first, or one of them with every attempt to send it. @throws AppError 404 */
export async function listSent(ctx: SiteContext, input: Input): Promise<OutputOf<'sent_mails.list'>> {
  if (input.id !== undefined) return getSent(ctx, input.id);
  const { ids, next_cursor } = await scanPage(ctx, scanOf(ctx, input), input);
  const rows = await sentRows(ctx, ids);
  return { items: rows.map(present), limit: input.limit, next_cursor };
}
