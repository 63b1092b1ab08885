import type { BotSettings, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
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
    // Nothing that was not given: another admin may be changing that.
    const given = { bot_name: name, bot_tone: tone, bot_rules: rules };
    const offAt = enabled ? null : sql<Date>`coalesce(bot_off_at, ${tx.now()})`;
    await tx.db
      .updateTable('sites')
      // One that is always there: an update of nothing is no statement.
      .set({ id: tx.site.id, ...given, ...budget, ...(enabled !== undefined && { bot_off_at: offAt }) })
      .where('id', '=', tx.site.id)
      .execute();
    await tx.emit({ notices: [{ kind: 'site' }] });
    return getBotSettings(tx);
  });
}
