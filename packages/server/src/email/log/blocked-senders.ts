import type { BlockedSender, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { domainOf } from '../../base/email-address.ts';
import { notFound, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { idPage } from '../../db/keyset.ts';
import { lockSite } from '../../sites/sites.ts';

/** Of a site. */
const BLOCKED_MAX = 5_000;

interface Row {
  id: number;
  sender: string;
  agent_id: number | null;
  agent_name: string | null;
  created_at: Date;
}

const present = ({ id, sender, agent_id, agent_name, created_at }: Row): BlockedSender => ({
  id,
  sender,
  agent: agent_id === null ? null : { id: agent_id, name: agent_name ?? '' },
  created_utc: created_at.toISOString(),
});

const blockedOf = ({ db, site }: SiteContext) =>
  db
    .selectFrom('blocked_senders as b')
    .leftJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'b.site_id').onRef('a.id', '=', 'b.agent_id'),
    )
    .where('b.site_id', '=', site.id)
    .select(['b.id', 'b.sender', 'b.agent_id', 'a.name as agent_name', 'b.created_at']);

/** Senders whose mail is rejected. */
export const listBlockedSenders = (
  ctx: SiteContext,
  input: ParsedInputOf<'blocked_senders.list'>,
): Promise<OutputOf<'blocked_senders.list'>> => idPage(blockedOf(ctx), input, present, 'b.id');

async function requireRoom(tx: SiteContext): Promise<void> {
  // Without the lock, concurrent calls could both take the last place.
  await lockSite(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from blocked_senders where site_id = ${tx.site.id}`.execute(tx.db);
  if ((rows[0]?.count ?? 0) >= BLOCKED_MAX)
    throw tooMany(BLOCKED_MAX, `A site can block at most ${BLOCKED_MAX} senders.`);
}

/** Blocks an address or a domain, in lower case. @returns false if it is blocked already, which stays as it is */
export async function blockSender(tx: SiteContext, sender: string): Promise<boolean> {
  await requireRoom(tx);
  const row = await tx.db
    .insertInto('blocked_senders')
    .values({
      site_id: tx.site.id,
      sender,
      agent_id: tx.actor.kind === 'agent' ? tx.actor.agentId : null,
      created_at: tx.now(),
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'sender']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) await report(tx, row.id, sender, 'blocked_senders.create');
  return row !== undefined;
}

const report = (tx: SiteContext, id: number, sender: string, action: string): Promise<void> =>
  tx.emit({ audit: { subject: 'blocked_sender', subjectId: id, label: sender, action } });

/** Blocks a sender: their mail is rejected from now on. */
export function createBlockedSender(
  ctx: SiteContext,
  { sender }: ParsedInputOf<'blocked_senders.create'>,
): Promise<OutputOf<'blocked_senders.create'>> {
  return ctx.transaction(async (tx) => {
    await blockSender(tx, sender);
    const row = await blockedOf(tx).where('b.sender', '=', sender).executeTakeFirstOrThrow();
    return present(row);
  });
}

/** Mails that were rejected meanwhile stay so. @throws AppError 404 */
export function deleteBlockedSender(
  ctx: SiteContext,
  { id }: ParsedInputOf<'blocked_senders.delete'>,
): Promise<OutputOf<'blocked_senders.delete'>> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db
      .deleteFrom('blocked_senders')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .returning('sender')
      .executeTakeFirst();
    if (!row) throw notFound('blocked sender');
    await report(tx, id, row.sender, 'blocked_senders.delete');
    return { id, deleted: true as const };
  });
}

/** Unblocks those of these addresses and domains that are blocked. */
export async function unblockSenders(tx: SiteContext, senders: readonly string[]): Promise<void> {
  if (senders.length === 0) return;
  const rows = await tx.db
    .deleteFrom('blocked_senders')
    .where('site_id', '=', tx.site.id)
    .where('sender', 'in', [...senders])
    .returning(['id', 'sender'])
    .execute();
  for (const { id, sender } of rows) await report(tx, id, sender, 'blocked_senders.delete');
}

/** An address, its domain, and the domains above that: `a@mx.shop.example`, `mx.shop.example`, `shop.example`, `example`. */
function coveredBy(address: string): string[] {
  const labels = domainOf(address).split('.');
  return [address, ...labels.map((_, at) => labels.slice(at).join('.'))];
}

/** Those of these addresses, all in lower case, that are blocked: themselves, or by a domain that they belong to. */
export async function blockedAmong(
  { db, site }: SiteContext,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = new Set(addresses.flatMap(coveredBy));
  const { rows } = await sql<{ sender: string }>`
    select sender from blocked_senders
    where site_id = ${site.id} and sender = any (${[...names]}::text[])`.execute(db);
  const blocked = new Set(rows.map(({ sender }) => sender));
  return new Set(addresses.filter((address) => coveredBy(address).some((name) => blocked.has(name))));
}
