import type { ChosenPresence, DeskLanguage } from '@foyer/protocol';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';

/** What an agent has chosen for themselves. */
interface Choices {
  presence: ChosenPresence;
  /** What the dashboard speaks; null: what the browser prefers. */
  language: DeskLanguage | null;
}

export const choicesOf = (ctx: SiteContext, agentId: number): Promise<Choices> =>
  ctx.db
    .selectFrom('agents')
    .select(['presence', 'language'])
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();

/** Nobody else has to hear of it: an open desk keeps its language until it is opened again. */
export async function chooseLanguage(ctx: SiteContext, language: DeskLanguage | null): Promise<void> {
  await ctx.db
    .updateTable('agents')
    .set({ language })
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentActor(ctx).agentId)
    .execute();
}
