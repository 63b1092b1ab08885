import { CLOSE_UNAUTHORIZED, type Role } from '@foyer/protocol';
import type { Peer } from './peer.ts';

/** The agents' open sockets by account, so that ending a session closes its sockets. */
export interface AgentSockets {
  track(userId: string, peer: Peer): () => void;
  /** Closes an account's sockets after its sessions were ended; they have to authenticate again. */
  endUser(userId: string): void;
  /**
   * Closes the sockets of agents who were removed or have another role, because rights are fixed at the handshake.
   */
  check(siteId: number, standing: ReadonlyMap<number, { role: Role }>): void;
  sites(): number[];
}

/** Knows the sockets of this process only. `track` returns the function that forgets the socket. */
export function createAgentSockets(): AgentSockets {
  const byUser = new Map<string, Set<Peer>>();
  const end = (peer: Peer): void => peer.close(CLOSE_UNAUTHORIZED, 'sign in again');
  const all = function* (): Iterable<Peer> {
    for (const peers of byUser.values()) yield* peers;
  };
  return {
    track(userId, peer) {
      const peers = byUser.get(userId) ?? new Set<Peer>();
      byUser.set(userId, peers.add(peer));
      return () => {
        peers.delete(peer);
        if (peers.size === 0 && byUser.get(userId) === peers) byUser.delete(userId);
      };
    },
    endUser(userId) {
      for (const peer of byUser.get(userId) ?? []) end(peer);
    },
    check(siteId, standing) {
      for (const peer of all()) {
        if (peer.site.id !== siteId || peer.actor.kind !== 'agent') continue;
        if (standing.get(peer.actor.agentId)?.role !== peer.actor.role) end(peer);
      }
    },
    sites: () => [...new Set([...all()].map((peer) => peer.site.id))],
  };
}
