import type { Said } from '../../tickets/search/message-search.ts';

/** A chunk of a chat's messages that matches a search. */
export interface ChatHit {
  conversation_id: number;
  part: number;
  said_at: Date;
  /** Where the phrases of the query occur, if it has any. */
  said?: Said[];
}
