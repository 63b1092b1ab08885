import type { BotSettings, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { getSite } from '../sites/sites.ts';

/** `has_model`: whether a language model words its answers, the site's own or the installation's. */
export async function getBotSettings(ctx: SiteContext): Promise<BotSettings> {
  const site = await getSite(ctx.db, ctx.site.id);
  return {
    name: site.bot_name,
    tone: site.bot_tone,
    rules: site.bot_rules,
    model_answers_per_chat: site.model_answers_per_chat,
    model_answers_per_day: site.model_answers_per_day,
    enabled: site.bot_off_at === null,
    own: site.own_bot_since !== null,
    own_timeout_s: site.own_bot_timeout_s,
    has_model: (await ctx.services.languageModels.of(ctx)) !== undefined,
  };
}

/** When switched off, the bot stops answering at once, also in chats that it has; visitors wait for a person. */
export function updateBotSettings(
  ctx: SiteContext,
  { name, enabled, own, own_timeout_s, tone, rules, ...budget }: ParsedInputOf<'bot.update'>,
): Promise<BotSettings> {
  return ctx.transaction(async (tx) => {
    // Only the given fields: another admin may be changing the others.
    const given = { bot_name: name, bot_tone: tone, bot_rules: rules, own_bot_timeout_s: own_timeout_s };
    const offAt = enabled ? null : sql<Date>`coalesce(bot_off_at, ${tx.now()})`;
    const ownSince = own ? sql<Date>`coalesce(own_bot_since, ${tx.now()})` : null;
    await tx.db
      .updateTable('sites')
      // `id` is always set, because an update of no column is invalid SQL.
      .set({
        id: tx.site.id,
        ...given,
        ...budget,
        ...(enabled !== undefined && { bot_off_at: offAt }),
        ...(own !== undefined && { own_bot_since: ownSince }),
      })
      .where('id', '=', tx.site.id)
      .execute();
    await tx.emit({ notices: [{ kind: 'site' }] });
    return getBotSettings(tx);
  });
}
