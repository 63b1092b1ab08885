import { type HandoffRule, isOpen } from '@foyer/protocol';
import type { SiteContext } from '../context.ts';
import type { SessionRow } from '../conversations/sessions.ts';
import { getSite } from '../sites/sites.ts';
import type { Occasion } from './handoff-cause.ts';
import { listRules } from './handoff-rules.ts';

async function segmentsOf({ db, site }: SiteContext, visitorId: number): Promise<number[]> {
  const visitor = await db
    .selectFrom('visitors')
    .select('segment_ids')
    .where('site_id', '=', site.id)
    .where('id', '=', visitorId)
    .executeTakeFirst();
  return visitor?.segment_ids ?? [];
}

/** The site's rules and what they are held against. Outside of a chat there is no page, and nobody is in a segment. */
export async function occasionOf(
  ctx: SiteContext,
  question: string,
  session?: SessionRow,
): Promise<{ isOff: boolean; rules: HandoffRule[]; occasion: Occasion }> {
  const [site, rules] = await Promise.all([getSite(ctx.db, ctx.site.id), listRules(ctx)]);
  const needsSegments = rules.some(({ enabled, segment_ids }) => enabled && segment_ids.length > 0);
  const segmentIds = session && needsSegments ? await segmentsOf(ctx, session.visitor_id) : [];
  const open = site.office_hours === null || isOpen(site.office_hours, ctx.now());
  return {
    isOff: site.bot_off_at !== null,
    rules,
    occasion: { question, pageUrl: session?.page_url ?? null, segmentIds, open },
  };
}
