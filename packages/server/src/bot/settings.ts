import type { BotSettings, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from '../context.ts';
import { getSite } from '../sites/sites.ts';

export async function getBotSettings(ctx: SiteContext): Promise<BotSettings> {
  const { bot_name, bot_off_at } = await getSite(ctx.db, ctx.site.id);
  return { name: bot_name, enabled: bot_off_at === null, has_model: false };
}

/** Switched off, the bot says nothing more, also in chats that it has; whoever writes waits for a person. */
export function updateBotSettings(
  ctx: SiteContext,
  { name, enabled }: ParsedInputOf<'bot.update'>,
): Promise<BotSettings> {
  return ctx.transaction(async (tx) => {
    const before = await getSite(tx.db, tx.site.id);
    await tx.db
      .updateTable('sites')
      .set({
        bot_name: name ?? before.bot_name,
        bot_off_at: (enabled ?? before.bot_off_at === null) ? null : (before.bot_off_at ?? tx.now()),
      })
      .where('id', '=', tx.site.id)
      .execute();
    await tx.emit({ notices: [{ kind: 'site' }] });
    return getBotSettings(tx);
  });
}
