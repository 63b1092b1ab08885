import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import type { SaidBefore } from './model-turn/model-prompt.ts';

/** A question for the bot, and what it may use to answer it. */
export interface Turn {
  readonly ctx: SiteContext;
  /** Undefined outside a chat, where a teammate tries the bot: there is no page, and the visitor is in no segment. */
  readonly session: SessionRow | undefined;
  /** All messages since the bot's last turn, as one question. */
  readonly question: string;
  readonly previousQuestion?: string | undefined;
  /** The messages before the question, oldest first. Read only for a language model. */
  before(): Promise<readonly SaidBefore[]>;
  /** Whether a language model may take one more turn. Called at most once, just before it would. */
  mayAskModel(): Promise<boolean>;
  /** Shows people who follow the chat the answer as far as it is written; an empty text removes it. */
  readonly show?: ((soFar: string) => void) | undefined;
}
