import { sql } from 'kysely';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { SiteContext } from '../../core/context.ts';
import { isNoSpam } from '../spam/mark.ts';

const LOOKED_BACK_MS = 28 * 86_400_000;
/** Newer questions may still be answered. */
const STILL_OPEN_MS = 3_600_000;
/** The newest handoffs are enough for a busy site; with fewer than the minimum there is no median. */
const HANDOFFS_MAX = 300;
const HANDOFFS_MIN = 5;
/** A longer waiting time is not worth promising. */
const PROMISED_MAX_S = 86_400;
const KEPT_MS = 10 * 60_000;
const SITES_MAX = 10_000;

interface Waits {
  asked: number;
  median_s: number | null;
}

/** The median time until a person's first message after recent handoffs. Unanswered ones count too. */
async function medianWait(ctx: SiteContext): Promise<number | null> {
  const { db, site } = ctx;
  const at = ctx.now().getTime();
  const { rows } = await sql<Waits>`
    select count(*)::integer as asked,
      percentile_disc(0.5) within group (order by coalesce(extract(epoch from said.created_at - h.created_at), 'infinity'::float8)) as median_s
    from (
      select conversation_id, created_at from handoffs l
      where site_id = ${site.id} and reason <> 'agent_takeover' and ${isNoSpam(sql`l`)}
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
  /** Whole seconds; null if there is too little data, or the time is too long to show. */
  secondsOf(ctx: SiteContext): Promise<number | null>;
}

/** Read with each connection, and recalculated every ten minutes. */
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
      // Without a value the widget shows none. No connection fails because of it.
      const seconds = medianWait(ctx).catch((error) => {
        ctx.log.warn({ err: error }, 'computing the reply time failed');
        return null;
      });
      known.set(key, { seconds });
      return seconds;
    },
  };
}
