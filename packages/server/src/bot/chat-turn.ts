import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import type { Turn } from './bot-turn.ts';
import { mayUseModel, saidBefore } from './model-turn/model-use.ts';

interface Asked extends Pick<Turn, 'question' | 'previousQuestion' | 'show'> {
  /** The first message of the question in the chat. */
  readonly firstSeq?: number | undefined;
}

/** A turn in a chat, which knows what was said and how often a language model has answered. */
export const chatTurn = (ctx: SiteContext, session: SessionRow, { firstSeq = 1, ...asked }: Asked): Turn => ({
  ctx,
  session,
  ...asked,
  before: () => saidBefore(ctx, session, firstSeq),
  mayAskModel: () => mayUseModel(ctx, session),
});
