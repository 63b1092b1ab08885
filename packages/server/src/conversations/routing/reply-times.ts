import { sql } from 'kysely';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { SiteContext } from '../../core/context.ts';

const LOOKED_BACK_MS = 28 * 86_400_000;
/** Somebody who asked just now may be answered yet. */
const STILL_OPEN_MS = 3_600_000;
/** Of a busy site the newest are enough to tell; of fewer than these nothing can be said. */
const HANDOFFS_MAX = 300;
const HANDOFFS_MIN = 5;
/** Longer waits are no promise that one would print. */
const PROMISED_MAX_S = 86_400;
const KEPT_MS = 10 * 60_000;
const SITES_MAX = 1_000;

interface Waits {
  asked: number;
  median_s: number | null;
}

/** How long half of those who were handed to the team lately waited for a person's first words; nobody's counts too. */
async function medianWait(ctx: SiteContext): Promise<number | null> {
  const { db, site } = ctx;
  const at = ctx.now().getTime();
  const { rows } = await sql<Waits>`
    select count(*)::integer as asked,
      percentile_disc(0.5) within group (order by coalesce(extract(epoch from said.created_at - h.created_at), 'infinity'::float8)) as median_s
    from (
      select conversation_id, created_at from handoffs
      where site_id = ${site.id} and reason <> 'agent_takeover'
        and created_at >= ${new Date(at - LOOKED_BACK_MS)} and created_at < ${new Date(at - STILL_OPEN_MS)}
      order by created_at desc limit ${HANDOFFS_MAX}
    ) h
    left join lateral (
      select m.created_at from messages m
      where m.site_id = ${site.id} and m.conversation_id = h.conversation_id and m.sender = 'agent'
        and m.created_at >= h.created_at
      order by m.seq limit 1
    ) said on true`.execute(db);
  const [waits] = rows;
  if (!waits || waits.asked < HANDOFFS_MIN || waits.median_s === null) return null;
  return waits.median_s <= PROMISED_MAX_S ? Math.ceil(waits.median_s) : null;
}

export interface ReplyTimes {
  /** Whole seconds; null where there is too little to go by, or nothing to be proud of. */
  secondsOf(ctx: SiteContext): Promise<number | null>;
}

/** Asked for at each handshake, and looked at anew every ten minutes. */
export function createReplyTimes(now: () => Date): ReplyTimes {
  const known = createBoundedCache<{ seconds: Promise<number | null> }>({
    max: SITES_MAX,
    ttlMs: KEPT_MS,
    now,
  });
  return {
    secondsOf(ctx) {
      const key = String(ctx.site.id);
      const found = known.get(key);
      if (found) return found.seconds;
      // Without it the widget says nothing: no handshake fails for this.
      const seconds = medianWait(ctx).catch((error) => {
        ctx.log.warn({ err: error }, 'computing the reply time failed');
        return null;
      });
      known.set(key, { seconds });
      return seconds;
    },
  };
}
