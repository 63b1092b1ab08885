import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import type { SaidBefore } from './model-turn/model-prompt.ts';

/** A question for the bot, and what it may use to answer it. */
export interface Turn {
  readonly ctx: SiteContext;
  /** Undefined outside a chat, where somebody tries the bot: there is no page, and nobody is in a segment. */
  readonly session: SessionRow | undefined;
  /** All that was said since the bot's last turn, as one question. */
  readonly question: string;
  readonly previousQuestion?: string | undefined;
  /** What was said before the question, oldest first. Read only for a language model. */
  before(): Promise<readonly SaidBefore[]>;
  /** Whether a language model may take one more turn. Called at most once, just before it would. */
  mayAskModel(): Promise<boolean>;
  /** Shows those who follow the chat what is written of the answer so far; an empty text takes it back. */
  readonly show?: ((soFar: string) => void) | undefined;
}
