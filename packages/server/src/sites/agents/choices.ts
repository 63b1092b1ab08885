import type { ChosenPresence, DeskLanguage } from '@foyer/protocol';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';

/** An agent's personal settings. */
interface Choices {
  presence: ChosenPresence;
  /** The desk's language; null: the browser's preferred one. */
  language: DeskLanguage | null;
  /** The signature under emails; empty: the site's. */
  signature: string;
}

/** Also for removed agents. Throws an internal error for an unknown id. */
export const choicesOf = (ctx: SiteContext, agentId: number): Promise<Choices> =>
  ctx.db
    .selectFrom('agents')
    .select(['presence', 'language', 'signature'])
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();

/** Sends no notice: an open desk keeps its settings until it is reloaded. */
export async function choose(
  ctx: SiteContext,
  choice: Pick<Choices, 'language'> | Pick<Choices, 'signature'>,
): Promise<void> {
  await ctx.db
    .updateTable('agents')
    .set(choice)
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentActor(ctx).agentId)
    .execute();
}
