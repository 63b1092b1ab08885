import type { Turn } from '../bot-turn.ts';

/** The turns in which this process asks a language model, by chat, until what came of them is stored. */
const underWay = new Map<string, Promise<void>>();

/**
 * Takes a turn of a chat, whose model no other turn in this process asks at the same time: a visitor's second message has
 * a job of its own while the model still answers the first, and would ask it about both.
 * @param take stores what came of the turn; a turn that another one has overtaken stores nothing
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
      // Before it is asked whether the turn was overtaken: one that isn't listed any more has stored its answer.
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

/** Waits while the model is asked for an earlier message of the chat. */
export const untilModelIsDone = (sessionId: string): Promise<void> | undefined => underWay.get(sessionId);
