import { type ClientFrame, type ServerFrame, SOCKET_BEAT_MS } from '@foyer/protocol';
import { AppError } from '../base/errors.ts';
import { CHALLENGE_VALID_MS, type Challenges } from '../limits/challenges.ts';

/** Challenges that one connection may have open. */
const WAITING_MAX = 8;

export type SolutionFrame = Extract<ClientFrame, { type: 'solution' }>;

/** Whether the caller may continue by solving a challenge. */
export const isSolvable = (thrown: unknown): boolean => thrown instanceof AppError && thrown.isSolvable;

interface SolvingOptions {
  challenges: Challenges;
  siteId: number;
  /** The key that limits count the client by. */
  caller: string;
  send(frame: ServerFrame): void;
  onClose(listener: () => void): void;
}

/** Calls that wait until their client has solved a challenge, by their ids; the hello has none. */
export class Solving {
  readonly #options: SolvingOptions;
  readonly #waiting = new Map<number | undefined, () => void>();
  readonly #timers = new Map<number | undefined, NodeJS.Timeout>();
  #beats: NodeJS.Timeout | undefined;

  constructor(options: SolvingOptions) {
    this.#options = options;
    options.onClose(() => {
      for (const id of this.#waiting.keys()) this.#end(id);
    });
  }

  /**
   * Sends a challenge.
   * @param id undefined for the hello
   * @param proceed called when it is solved
   * @param giveUp called when it has expired, or too many others wait
   */
  async ask(id: number | undefined, proceed: () => void, giveUp: () => void): Promise<void> {
    if (this.#waiting.size >= WAITING_MAX) return giveUp();
    const { challenges, siteId, caller, send } = this.#options;
    const challenge = await challenges.issue({ siteId, caller });
    this.#end(id);
    this.#waiting.set(id, proceed);
    const late = (): void => {
      this.#end(id);
      giveUp();
    };
    this.#timers.set(id, setTimeout(late, CHALLENGE_VALID_MS));
    // Without a sign of life, the client would open another connection beside this one.
    this.#beats ??= setInterval(() => send({ type: 'pong' }), SOCKET_BEAT_MS);
    send(id === undefined ? { type: 'challenge', challenge } : { type: 'challenge', id, challenge });
  }

  /**
   * Continues the call that waits for this solution; does nothing if it no longer waits.
   * @throws AppError 429 for a wrong one, after which the call no longer waits
   */
  async redeem({ id, challenge, solution }: SolutionFrame): Promise<void> {
    const proceed = this.#waiting.get(id);
    if (!proceed) return;
    this.#end(id);
    const { challenges, siteId, caller } = this.#options;
    await challenges.redeem({ siteId, caller }, { challenge, solution });
    proceed();
  }

  #end(id: number | undefined): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#beats);
    this.#beats = undefined;
  }
}
