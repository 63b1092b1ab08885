import { CLOSE_UNAUTHORIZED, type Role } from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import type { Peer } from './peer.ts';

/** A handshake: from before its agent is looked up until its socket is tracked. */
export interface Arrival {
  /**
   * Registers the socket, and closes it if the account's sessions were ended, or the agent's rights changed, after the
   * handshake began. Returns the function that forgets the socket.
   */
  track(userId: string, peer: Peer): () => void;
  /** The handshake is over, with a socket or without. */
  end(): void;
}

/** `signIns`: the only sign-ins that may have sockets; null: all. */
interface Standing {
  role: Role;
  permissions: readonly Permission[] | null;
  signIns: readonly string[] | null;
}
type Standings = ReadonlyMap<number, Standing>;

/** The agents' open sockets by account, so that ending a session closes its sockets. */
export interface AgentSockets {
  /** Call it before looking up the socket's owner: a session that ends in between has no socket to close yet. */
  arrive(): Arrival;
  /** Closes an account's sockets after its sessions were ended; they have to authenticate again. */
  endUser(userId: string): void;
  /**
   * Closes the sockets of agents who were removed or have another role, because rights are fixed at the handshake.
   */
  check(siteId: number, standings: Standings): void;
  sites(): number[];
}

function hasOtherRights({ actor }: Peer, standings: Standings): boolean {
  if (actor.kind !== 'agent') return false;
  const standing = standings.get(actor.agentId);
  return (
    standing?.role !== actor.role ||
    standing.permissions?.join() !== actor.permissions?.join() ||
    standing.signIns?.includes(actor.signInId ?? '') === false
  );
}

/** Knows the sockets of this process only. */
export function createAgentSockets(): AgentSockets {
  const byUser = new Map<string, Set<Peer>>();
  /** What has ended since each handshake began. */
  const arriving = new Set<{ users: Set<string>; sites: Map<number, Standings> }>();
  const end = (peer: Peer): void => peer.close(CLOSE_UNAUTHORIZED, 'sign in again');
  const all = function* (): Iterable<Peer> {
    for (const peers of byUser.values()) yield* peers;
  };
  const track = (userId: string, peer: Peer): (() => void) => {
    const peers = byUser.get(userId) ?? new Set<Peer>();
    byUser.set(userId, peers.add(peer));
    return () => {
      peers.delete(peer);
      if (peers.size === 0 && byUser.get(userId) === peers) byUser.delete(userId);
    };
  };
  return {
    arrive() {
      const ended = { users: new Set<string>(), sites: new Map<number, Standings>() };
      arriving.add(ended);
      return {
        track(userId, peer) {
          const untrack = track(userId, peer);
          const standings = ended.sites.get(peer.site.id);
          if (ended.users.has(userId) || (standings && hasOtherRights(peer, standings))) end(peer);
          return untrack;
        },
        end: () => void arriving.delete(ended),
      };
    },
    endUser(userId) {
      for (const { users } of arriving) users.add(userId);
      for (const peer of byUser.get(userId) ?? []) end(peer);
    },
    check(siteId, standings) {
      for (const { sites } of arriving) sites.set(siteId, standings);
      for (const peer of all()) if (peer.site.id === siteId && hasOtherRights(peer, standings)) end(peer);
    },
    sites: () => [...new Set([...all()].map((peer) => peer.site.id))],
  };
}
