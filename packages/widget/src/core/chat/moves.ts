/** Where chats went: a new one into the session that it made, a deleted one into a new chat. */
export interface Moves {
  add(chat: string, to: string): void;
  /** What a chat is now. For a moment after a move, until it is drawn, the screen still has the earlier name. */
  current(chat: string): string;
}

/** Remembers the moves of this tab's life. */
export const createMoves = (): Moves => {
  const moves = new Map<string, string>();
  const current = (chat: string): string => {
    const to = moves.get(chat);
    return to ? current(to) : chat;
  };
  return { add: (chat, to) => void moves.set(chat, to), current };
};
