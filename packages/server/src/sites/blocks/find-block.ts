import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { Hit, Suspect } from './rules.ts';

/** Counts hits. A counter that another transaction is updating is skipped: nobody waits for one. */
export async function countHits(ctx: SiteContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update blocked_senders set hits = hits + 1, last_hit_at = ${ctx.now()}
    where site_id = ${ctx.site.id} and id in (
      select id from blocked_senders where site_id = ${ctx.site.id} and id = any (${[...ids]}::bigint[])
      for no key update skip locked)`.execute(ctx.db);
}

/** The block that applies to the caller and the other known data. It counts as a hit. */
export async function findBlock(
  ctx: SiteContext,
  suspect: Omit<Suspect, 'caller'> = {},
): Promise<Hit | undefined> {
  const rules = await ctx.services.blocksOf(ctx.site.id);
  const hit = rules.find({ ...suspect, caller: ctx.caller }, ctx.now());
  if (hit) await countHits(ctx, [hit.id]);
  return hit;
}

/** Whether the caller's address is blocked, for frequent checks: it doesn't count as a hit. */
export async function isCallerBlocked(ctx: SiteContext): Promise<boolean> {
  const rules = await ctx.services.blocksOf(ctx.site.id);
  return rules.find({ caller: ctx.caller }, ctx.now()) !== undefined;
}

/** The mark of a chat or ticket that a block makes spam. */
export const reasonOf = ({ kind }: Hit): 'phrase' | 'blocked' => (kind === 'phrase' ? 'phrase' : 'blocked');
