import type { SessionRow } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';

/** What the bot answers in one turn of a chat. */
export interface Turn {
  readonly ctx: SiteContext;
  readonly session: SessionRow;
  /** All that was said since the bot's last turn, as one question. */
  readonly question: string;
  readonly previousQuestion?: string | undefined;
  /** The first message of the question in the chat. */
  readonly firstSeq?: number | undefined;
  /** Shows those who follow the chat what is written of the answer so far; an empty text takes it back. */
  readonly show?: ((soFar: string) => void) | undefined;
}
