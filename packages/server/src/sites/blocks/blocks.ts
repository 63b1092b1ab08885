import { type Block, emailOrDomain, type OutputOf, type ParsedInputOf } from '@foyer/protocol';
import { BLOCKS_MAX } from '@foyer/protocol/values/bounds';
import type { BlockKind } from '@foyer/protocol/values/wire-names';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalidInput, notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { idPage } from '../../db/keyset.ts';
import { prepared } from '../../db/prepared.ts';
import { lockSite } from '../sites.ts';
import { normalNetwork } from './networks.ts';
import { comparedWords } from './phrases.ts';
import { blockedValue, coveredBy, storedValue } from './rules.ts';

interface Row {
  id: number;
  kind: BlockKind;
  sender: string;
  note: string | null;
  expires_at: Date | null;
  hits: number;
  last_hit_at: Date | null;
  agent_id: number | null;
  agent_name: string | null;
  ticket_id: number | null;
  created_at: Date;
}

/** Whether the block of a row `b` hasn't expired. */
export const isInForce = (now: Date): RawBuilder<SqlBool> =>
  sql`(b.expires_at is null or b.expires_at > ${now})`;

function present(row: Row): Block {
  const value = blockedValue(row);
  return {
    id: row.id,
    kind: row.kind,
    value: row.kind === 'country' ? value.toUpperCase() : value,
    note: row.note,
    expires_utc: row.expires_at?.toISOString() ?? null,
    hits: row.hits,
    last_hit_utc: row.last_hit_at?.toISOString() ?? null,
    ticket_id: row.ticket_id,
    agent: row.agent_id === null ? null : { id: row.agent_id, name: row.agent_name ?? '' },
    created_utc: row.created_at.toISOString(),
  };
}

/** A site's blocks that are in force. */
const blocksOf = (ctx: SiteContext) =>
  ctx.db
    .selectFrom('blocked_senders as b')
    .leftJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'b.site_id').onRef('a.id', '=', 'b.agent_id'),
    )
    .where('b.site_id', '=', ctx.site.id)
    .where(isInForce(ctx.now()))
    .select([
      'b.id',
      'b.kind',
      'b.sender',
      'b.note',
      'b.expires_at',
      'b.hits',
      'b.last_hit_at',
      'b.agent_id',
      'a.name as agent_name',
      'b.ticket_id',
      'b.created_at',
    ]);

/** A site's blocks that are in force, newest first, of one kind or of all. */
export const listBlocks = (
  ctx: SiteContext,
  { kind, ...input }: ParsedInputOf<'blocks.list'>,
): Promise<OutputOf<'blocks.list'>> =>
  idPage(
    blocksOf(ctx).$if(kind !== undefined, (all) => all.where('b.kind', '=', kind ?? 'email')),
    input,
    present,
    'b.id',
  );

/** Two letters, as in ISO 3166. */
const COUNTRY = /^[a-z]{2}$/;

const NORMAL: Readonly<Record<BlockKind, (value: string) => string | undefined>> = {
  email: (value) => emailOrDomain.safeParse(value.replace(/^@/, '')).data,
  address: normalNetwork,
  country: (value) => (COUNTRY.test(value) ? value : undefined),
  phrase: (value) => (comparedWords(value).length > 0 ? value.replace(/\s+/g, ' ') : undefined),
};

const EXPECTED: Readonly<Record<BlockKind, string>> = {
  email: 'must be an email address or a domain',
  address: 'must be an IP address or a range such as 203.0.113.0/24, not wider than /8 (IPv6: /16)',
  country: 'must be the two letters of a country',
  phrase: 'must have a word',
};

const REASON = { email: 'email', address: 'address_range', country: 'country', phrase: 'no_words' } as const;

/** @throws AppError 400 */
function normalValue(kind: BlockKind, value: string): string {
  const normal = NORMAL[kind](value.trim().toLowerCase());
  if (normal === undefined)
    throw invalidInput([{ path: 'value', message: EXPECTED[kind], reason: REASON[kind] }]);
  return normal;
}

/** @throws AppError 400 for a time that has passed */
function expiryOf(expires: string | null | undefined, now: Date): Date | null | undefined {
  if (expires === null || expires === undefined) return expires;
  const at = new Date(expires);
  if (at <= now)
    throw invalidInput([{ path: 'expires_utc', message: 'must be in the future', reason: 'past' }]);
  return at;
}

/** Expired ones are deleted to make room. @throws AppError 409 */
async function requireRoom(tx: SiteContext): Promise<void> {
  // Without the lock, concurrent calls could both take the last place.
  await lockSite(tx);
  await sql`delete from blocked_senders b where b.site_id = ${tx.site.id} and not ${isInForce(tx.now())}`.execute(
    tx.db,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from blocked_senders where site_id = ${tx.site.id}`.execute(tx.db);
  if ((rows[0]?.count ?? 0) >= BLOCKS_MAX)
    throw tooMany(BLOCKS_MAX, `A site can have at most ${BLOCKS_MAX} blocks.`);
}

interface NewBlock {
  kind: BlockKind;
  /** In its normal form. */
  value: string;
  note?: string | null | undefined;
  expiresAt?: Date | null | undefined;
  /** The ticket whose sender it is. */
  ticketId?: number | undefined;
}

/**
 * Stores a block; an existing one keeps its author and time.
 * @returns its id, and whether it is new
 * @throws AppError 409
 */
export async function putBlock(
  tx: SiteContext,
  { kind, value, note, expiresAt, ticketId }: NewBlock,
): Promise<{ id: number; isNew: boolean }> {
  await requireRoom(tx);
  const sender = storedValue(kind, value);
  const row = await tx.db
    .insertInto('blocked_senders')
    .values({
      site_id: tx.site.id,
      kind,
      sender,
      note: note || null,
      expires_at: expiresAt ?? null,
      agent_id: tx.actor.kind === 'agent' ? tx.actor.agentId : null,
      ticket_id: ticketId ?? null,
      created_at: tx.now(),
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'sender']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) {
    await tx.emit({ notices: [{ kind: 'site' }] });
    return { id: row.id, isNew: true };
  }
  const { id } = await tx.db
    .selectFrom('blocked_senders')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('sender', '=', sender)
    .executeTakeFirstOrThrow();
  await change(tx, id, { note, expiresAt });
  return { id, isNew: false };
}

/** @throws AppError 404 */
async function change(
  tx: SiteContext,
  id: number,
  { note, expiresAt }: Pick<NewBlock, 'note' | 'expiresAt'>,
): Promise<void> {
  if (note === undefined && expiresAt === undefined) return;
  await tx.db
    .updateTable('blocked_senders')
    .set({
      ...(note === undefined ? {} : { note: note || null }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  await tx.emit({ notices: [{ kind: 'site' }] });
}

/** @throws AppError 404 */
async function getBlock(ctx: SiteContext, id: number): Promise<Block> {
  const row = await blocksOf(ctx).where('b.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('block');
  return present(row);
}

/** @throws AppError 404 */
async function checkTicket({ db, site }: SiteContext, id: number): Promise<void> {
  const found = db.selectFrom('tickets').select('id').where('site_id', '=', site.id).where('id', '=', id);
  if (!(await found.executeTakeFirst())) throw notFound('ticket');
}

/**
 * Blocks an email address or domain, an address or range, a country or a phrase. An existing block gets the new note
 * and expiry, if they are given.
 * @throws AppError 400, 404, 409
 */
export function createBlock(
  ctx: SiteContext,
  { kind, value, note, expires_utc, ticket_id: ticketId }: ParsedInputOf<'blocks.create'>,
): Promise<OutputOf<'blocks.create'>> {
  const block = {
    kind,
    value: normalValue(kind, value),
    note,
    expiresAt: expiryOf(expires_utc, ctx.now()),
    ticketId,
  };
  return ctx.transaction(async (tx) => {
    if (ticketId !== undefined) await checkTicket(tx, ticketId);
    const { id, isNew } = await putBlock(tx, block);
    return { ...(await getBlock(tx, id)), existed: !isNew };
  });
}

/** Changes note and expiry. @throws AppError 400, 404 */
export function updateBlock(
  ctx: SiteContext,
  { id, note, expires_utc }: ParsedInputOf<'blocks.update'>,
): Promise<OutputOf<'blocks.update'>> {
  const expiresAt = expiryOf(expires_utc, ctx.now());
  return ctx.transaction(async (tx) => {
    await getBlock(tx, id);
    await change(tx, id, { note, expiresAt });
    return getBlock(tx, id);
  });
}

/** Chats and tickets that it has marked as spam stay so. @throws AppError 404 */
export function deleteBlock(
  ctx: SiteContext,
  { id }: ParsedInputOf<'blocks.delete'>,
): Promise<OutputOf<'blocks.delete'>> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db
      .deleteFrom('blocked_senders')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) throw notFound('block');
    await tx.emit({ notices: [{ kind: 'site' }] });
    return { id, deleted: true as const };
  });
}

/**
 * The blocked ones among these email addresses, in lower case: by the address itself, or by its domain or a parent
 * domain.
 */
export async function blockedAmong(
  ctx: SiteContext,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const names = [...new Set(addresses.flatMap(coveredBy))];
  const { rows } = await sql<{ id: number; sender: string }>`${prepared}
    select b.id, b.sender from blocked_senders b
    where b.site_id = ${ctx.site.id} and b.kind = 'email' and b.sender = any (${names}::text[])
      and ${isInForce(ctx.now())}`.execute(ctx.db);
  const ids = new Map(rows.map(({ id, sender }) => [sender, id]));
  return new Map(
    addresses.flatMap((address) => {
      const id = coveredBy(address)
        .map((name) => ids.get(name))
        .find((one) => one !== undefined);
      return id === undefined ? [] : [[address, id] as const];
    }),
  );
}
