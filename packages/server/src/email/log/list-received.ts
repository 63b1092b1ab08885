import type { OutputOf, ParsedInputOf, ReceivedMailDetail } from '@foyer/protocol';
import { SUSPENDED_COUNTED_MAX } from '@foyer/protocol/values/bounds';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { contains } from '../../db/keyset.ts';
import { readContent } from './content.ts';
import { loggedRows, presentReceived } from './received-rows.ts';
import { allOf, idsBetween, scanPage } from './scan.ts';

type Input = ParsedInputOf<'received_mails.list'>;

/** The ids that mails of these times can have. */
const idsOfTimes = ({ site }: SiteContext, input: Input): RawBuilder<unknown> =>
  idsBetween(
    {
      rows: sql`received_mails where site_id = ${site.id}`,
      id: 'id',
      at: 'received_at',
      column: 'r.id',
    },
    input,
  );

/** The indexed filters: the first that is given has an index in the order of the list. */
const filtersOf = (input: Input): RawBuilder<boolean>[] => [
  ...(input.ticket_id === undefined ? [] : [sql<boolean>`r.ticket_id = ${input.ticket_id}`]),
  ...(input.address === undefined
    ? []
    : [sql<boolean>`lower(r.from_address) = ${input.address.trim().toLowerCase()}`]),
  ...(input.reason === undefined ? [] : [sql<boolean>`r.reason = ${input.reason}`]),
  ...(input.outcome === undefined ? [] : [sql<boolean>`r.state = ${input.outcome}`]),
  ...(input.mailbox_id === undefined ? [] : [sql<boolean>`r.mailbox_id = ${input.mailbox_id}`]),
];

/** Filters without an index in the list's order. */
const restOf = ({ q, since, until }: Input): RawBuilder<boolean>[] => [
  ...(q === undefined ? [] : [sql<boolean>`coalesce(${contains(['r.subject'], q)}, false)`]),
  ...(since === undefined ? [] : [sql<boolean>`r.received_at >= ${new Date(since)}`]),
  ...(until === undefined ? [] : [sql<boolean>`r.received_at < ${new Date(until)}`]),
];

async function getReceived(ctx: SiteContext, id: number): Promise<ReceivedMailDetail> {
  const [logged] = await loggedRows(ctx, [id]);
  if (!logged) throw notFound('email');
  const row = await ctx.db
    .selectFrom('received_mails')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    ...presentReceived(logged),
    detail: row.detail,
    message_id: row.message_id,
    envelope_from: row.envelope_from,
    envelope_to: row.envelope_to,
    remote_address: row.remote_address,
    authentication: row.authentication,
    attempts: row.attempts,
    processed_utc: row.processed_at?.toISOString() ?? null,
    accepted_utc: row.accepted_at?.toISOString() ?? null,
    content: row.raw && (await readContent(ctx, row.raw)),
  };
}

/** The mail log, newest first, or one mail of it. @throws AppError 404 */
export async function listReceived(ctx: SiteContext, input: Input): Promise<OutputOf<'received_mails.list'>> {
  if (input.id !== undefined) return getReceived(ctx, input.id);
  const [indexed, ...others] = filtersOf(input);
  const { ids, next_cursor } = await scanPage(
    ctx,
    {
      rows: sql`received_mails r where r.site_id = ${ctx.site.id}
        ${indexed ? sql`and ${indexed}` : sql``} ${idsOfTimes(ctx, input)}`,
      id: 'r.id',
      matches: allOf([...others, ...restOf(input)]),
    },
    input,
  );
  const rows = await loggedRows(ctx, ids);
  return { items: rows.map(presentReceived), limit: input.limit, next_cursor };
}

/** How many mails are suspended, up to a limit. */
export async function countSuspended({ db, site }: SiteContext): Promise<OutputOf<'received_mails.count'>> {
  const { rows } = await sql<{ suspended: number }>`
    select count(*)::integer as suspended from (
      select from received_mails where site_id = ${site.id} and state = 'suspended' limit ${SUSPENDED_COUNTED_MAX}
    ) counted`.execute(db);
  return { suspended: rows[0]?.suspended ?? 0 };
}
