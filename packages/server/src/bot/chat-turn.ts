import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import type { Turn } from './bot-turn.ts';
import { mayUseModel, saidBefore } from './model-turn/model-use.ts';

interface Asked extends Pick<Turn, 'question' | 'previousQuestion' | 'show'> {
  /** The first message of the question in the chat. */
  readonly firstSeq?: number | undefined;
}

/** A turn in a chat, with access to the earlier messages and to how often a language model has answered. */
export const chatTurn = (ctx: SiteContext, session: SessionRow, { firstSeq = 1, ...asked }: Asked): Turn => ({
  ctx,
  session,
  ...asked,
  before: () => saidBefore(ctx, session, firstSeq),
  mayAskModel: () => mayUseModel(ctx, session),
});

/** A turn of the bot itself, which asks no model about messages that have been answered meanwhile. */
export function botTurn(ctx: SiteContext, session: SessionRow, asked: Asked): Turn {
  const turn = chatTurn(ctx, session, asked);
  return { ...turn, mayAskModel: async () => (await isUnanswered(ctx, session)) && turn.mayAskModel() };
}

/**
 * Whether a turn could still store something. Another worker may have answered the same messages since they were read,
 * or a person may have taken the chat.
 */
async function isUnanswered(ctx: SiteContext, session: SessionRow): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('conversations')
    .select('id')
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', session.id)
    .where('status', '=', 'bot')
    .where('spam_at', 'is', null)
    .where('bot_seq', '=', session.bot_seq)
    .executeTakeFirst();
  return row !== undefined;
}
