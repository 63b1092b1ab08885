import { CLOSE_RESTART } from '@foyer/protocol';
import { pause } from '../base/pause.ts';
import type { Live } from '../realtime/live.ts';

/** Balancers look at `/readyz` every few seconds: until then a moved socket would reconnect to this process. */
const NOTICED_SHARE = 1 / 3;

/** Whether this process is about to stop. */
export interface Draining {
  readonly isOn: boolean;
  /**
   * Reports not ready for this long, and meanwhile moves sockets to other processes one after another. The process
   * serves everyone as before until it is over.
   * @param hurry ends it at once
   */
  drain(ms: number, hurry: AbortSignal): Promise<void>;
}

/** For the sockets of this process. */
export function createDraining(live: Pick<Live, 'hub'>): Draining {
  let isOn = false;
  return {
    get isOn() {
      return isOn;
    },
    async drain(ms, hurry) {
      isOn = true;
      await pause(ms * NOTICED_SHARE, hurry);
      const peers = [...live.hub.peers];
      const each = (ms * (1 - NOTICED_SHARE)) / Math.max(peers.length, 1);
      for (const peer of peers) {
        if (hurry.aborted) return;
        peer.close(CLOSE_RESTART, 'restarting');
        await pause(each, hurry);
      }
      if (peers.length === 0) await pause(each, hurry);
    },
  };
}
