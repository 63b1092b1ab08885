import { type HandoffRule, isOpen } from '@foyer/protocol';
import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { getSite } from '../sites/sites.ts';
import { listRules } from './rules/handoff-rules.ts';
import type { Situation } from './rules/turn-rules.ts';

async function segmentsOf({ db, site }: SiteContext, visitorId: number): Promise<number[]> {
  const visitor = await db
    .selectFrom('visitors')
    .select('segment_ids')
    .where('site_id', '=', site.id)
    .where('id', '=', visitorId)
    .executeTakeFirst();
  return visitor?.segment_ids ?? [];
}

/**
 * The state of the site and the chat at a moment, for any question asked then. Outside of a chat there is no page, and
 * the visitor is in no segment.
 */
export async function situationOf(
  ctx: SiteContext,
  at: Date,
  session?: SessionRow,
): Promise<Omit<Situation, 'question'>> {
  const [site, rules] = await Promise.all([getSite(ctx.db, ctx.site.id), listRules(ctx)]);
  const needsSegments = rules.some(({ enabled, segment_ids }) => enabled && segment_ids.length > 0);
  const segmentIds: HandoffRule['segment_ids'] =
    session && needsSegments ? await segmentsOf(ctx, session.visitor_id) : [];
  return {
    isOff: site.bot_off_at !== null,
    language: session?.language ?? site.language,
    rules,
    pageUrl: session?.page_url ?? null,
    segmentIds,
    open: site.office_hours === null || isOpen(site.office_hours, at),
  };
}
