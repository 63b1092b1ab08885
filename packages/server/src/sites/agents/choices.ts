import type { ChosenPresence, DeskLanguage } from '@foyer/protocol';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';

/** What agents choose for themselves. */
interface Choices {
  presence: ChosenPresence;
  /** The desk's language; null: the browser's preferred one. */
  language: DeskLanguage | null;
  /** Of mails; empty: the site's. */
  signature: string;
}

/** Works for removed agents too; throws an internal error for an id that the site doesn't have. */
export const choicesOf = (ctx: SiteContext, agentId: number): Promise<Choices> =>
  ctx.db
    .selectFrom('agents')
    .select(['presence', 'language', 'signature'])
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();

/** Notifies nobody: an open desk keeps its own until it is reloaded. */
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
