import type { Turn } from '../bot-turn.ts';

/** The turns in which this process asks a language model, by chat, until their results are stored. */
const underWay = new Map<string, Promise<void>>();

/**
 * Takes a turn of a chat, while no other turn in this process asks the model about it. Otherwise a visitor's second
 * message, whose job starts while the model still answers the first, would ask it about both.
 * @param take stores the result of the turn; an overtaken turn stores nothing
 */
export async function oneModelAtATime<Result>(
  sessionId: string,
  turn: Turn,
  take: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  const own = Promise.withResolvers<void>();
  const mayAskModel = async (): Promise<boolean> => {
    const other = underWay.get(sessionId);
    if (other === undefined) {
      // Listed before the check whether the turn was overtaken: a turn that is no longer listed has stored its answer.
      underWay.set(sessionId, own.promise);
      return turn.mayAskModel();
    }
    await other;
    return false;
  };
  try {
    return await take({ ...turn, mayAskModel });
  } finally {
    if (underWay.get(sessionId) === own.promise) underWay.delete(sessionId);
    own.resolve();
  }
}

/** Waits while the model is asked about an earlier message of the chat. */
export const untilModelIsDone = (sessionId: string): Promise<void> | undefined => underWay.get(sessionId);
