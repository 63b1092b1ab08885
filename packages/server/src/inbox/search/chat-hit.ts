import type { Said } from '../../tickets/search/message-search.ts';

/** A stretch of a chat's messages that a search has found. */
export interface ChatHit {
  conversation_id: number;
  part: number;
  said_at: Date;
  /** Where the phrases of the question stand, if it has any. */
  said?: Said[];
}
