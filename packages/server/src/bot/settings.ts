import type { BotSettings, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from '../context.ts';
import { getSite } from '../sites/sites.ts';

export async function getBotSettings(ctx: SiteContext): Promise<BotSettings> {
  const site = await getSite(ctx.db, ctx.site.id);
  return {
    name: site.bot_name,
    tone: site.bot_tone,
    rules: site.bot_rules,
    model_answers_per_chat: site.model_answers_per_chat,
    model_answers_per_day: site.model_answers_per_day,
    enabled: site.bot_off_at === null,
    has_model: ctx.services.languageModel !== undefined,
  };
}

/** Switched off, the bot says nothing more, also in chats that it has; whoever writes waits for a person. */
export function updateBotSettings(
  ctx: SiteContext,
  { name, enabled, tone, rules, ...budget }: ParsedInputOf<'bot.update'>,
): Promise<BotSettings> {
  return ctx.transaction(async (tx) => {
    const before = await getSite(tx.db, tx.site.id);
    await tx.db
      .updateTable('sites')
      .set({
        bot_name: name ?? before.bot_name,
        bot_off_at: (enabled ?? before.bot_off_at === null) ? null : (before.bot_off_at ?? tx.now()),
        bot_tone: tone ?? before.bot_tone,
        bot_rules: rules ?? before.bot_rules,
        ...budget,
      })
      .where('id', '=', tx.site.id)
      .execute();
    await tx.emit({ notices: [{ kind: 'site' }] });
    return getBotSettings(tx);
  });
}
