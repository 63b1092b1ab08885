import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import type { BotVoice, SaidBefore } from './model-prompt.ts';

/** How much of a chat a model gets before the question. */
export const MESSAGES_BEFORE = 8;

interface ModelUse extends BotVoice {
  readonly perChat: number;
  readonly perDay: number;
}

/** The site's settings of its language model. */
export function modelUseOf(ctx: SiteContext): Promise<ModelUse> {
  return ctx.db
    .selectFrom('sites')
    .select([
      'name as siteName',
      'bot_tone as tone',
      'bot_rules as rules',
      'model_answers_per_chat as perChat',
      'model_answers_per_day as perDay',
    ])
    .where('id', '=', ctx.site.id)
    .executeTakeFirstOrThrow();
}

/** Whether the site allows one more model text in this chat, and for this visitor today. Failed ones count. */
export async function mayUseModel(ctx: SiteContext, session: SessionRow): Promise<boolean> {
  const model = await ctx.services.languageModels.of(ctx);
  return model !== undefined && !(await isSpent(ctx, session, await modelUseOf(ctx)));
}

/** Whether this chat, or this visitor's chats that began within a day, have used all that the site allows. */
async function isSpent(
  ctx: SiteContext,
  session: SessionRow,
  { perChat, perDay }: ModelUse,
): Promise<boolean> {
  const since = new Date(ctx.now().getTime() - DAY_MS);
  const { rows } = await sql<{ chat: number; day: number }>`
    select coalesce(sum(model_answers) filter (where id = ${session.id}), 0)::int as chat,
      coalesce(sum(model_answers) filter (where started_at >= ${since}), 0)::int as day
    from conversations where site_id = ${ctx.site.id} and visitor_id = ${session.visitor_id}
      and (id = ${session.id} or started_at >= ${since})`.execute(ctx.db);
  const { chat = 0, day = 0 } = rows[0] ?? {};
  return chat >= perChat || day >= perDay;
}

/** The last messages of a chat before one of them, oldest first. */
export async function saidBefore(ctx: SiteContext, session: SessionRow, seq: number): Promise<SaidBefore[]> {
  const rows = await ctx.db
    .selectFrom('messages')
    .select(['sender', 'text'])
    .where('site_id', '=', ctx.site.id)
    .where('conversation_id', '=', session.id)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(MESSAGES_BEFORE)
    .execute();
  return rows.reverse();
}
