import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { comeBack, openChat, say } from './stand.ts';

const LIMITED_PAUSE_MS = 200;

export interface Load {
  /** Ids of messages that were acknowledged. */
  acked: Set<string>;
  /** Other results of sending: error codes, or `closed` for a connection that ended. */
  refusals: Set<string>;
  end(): Promise<void>;
}

/** Visitors who send like the widget: again under the same id, until a message is acknowledged. */
export function startLoad(site: { url: string; publicKey: string }, visitors: number): Load {
  const acked = new Set<string>();
  const refusals = new Set<string>();
  let isOver = false;
  const visit = async (): Promise<void> => {
    const { socket, welcome, id } = await openChat(site);
    let line = socket;
    while (!isOver) {
      const clientId = randomUUID();
      while (!acked.has(clientId)) {
        if (line.closed) line = (await comeBack(site, welcome)).socket;
        const refusal = await say(line, id, 'Still there?', clientId).then(
          () => void acked.add(clientId),
          (error) => (line.closed ? 'closed' : String(error.code)),
        );
        // This sends faster than people write; the widget waits, too.
        if (refusal === 'rate_limited') await delay(LIMITED_PAUSE_MS);
        else if (refusal) refusals.add(refusal);
      }
    }
  };
  const visits = Array.from({ length: visitors }, visit);
  return {
    acked,
    refusals,
    async end() {
      isOver = true;
      await Promise.all(visits);
    },
  };
}
