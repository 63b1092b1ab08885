/** Follows chats whose id changed: a new chat became a session, a deleted one became a new chat. */
export interface Moves {
  add(chat: string, to: string): void;
  /** The current id of a chat. After a change, the screen shows the earlier id until it is redrawn. */
  current(chat: string): string;
}

/** Remembers the changes for the life of this tab. */
export const createMoves = (): Moves => {
  const moves = new Map<string, string>();
  const current = (chat: string): string => {
    const to = moves.get(chat);
    return to ? current(to) : chat;
  };
  return { add: (chat, to) => void moves.set(chat, to), current };
};
