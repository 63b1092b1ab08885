import type { Presence } from '../context.ts';

/** A node repeats what it knows this often; one that is silent for longer has gone. */
export const PRESENCE_REPEAT_MS = 15_000;
const PRESENCE_EXPIRY_MS = 40_000;

/** What nodes tell each other. */
export interface PresenceNotice {
  presence: { node: string; online: Record<string, number[]> };
}

export interface PresenceBoard extends Presence {
  opened(siteId: number, agentId: number): void;
  closed(siteId: number, agentId: number): void;
  /** Another node's agents; true when it changed anything. */
  learn(notice: PresenceNotice): void;
  snapshot(): PresenceNotice;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** A site's set of online agents changed. */
  onChange(siteId: number): void;
  /** This node's own part changed: to be told to the others. */
  onOwnChange(): void;
}

/** Who has an open dashboard, on this node and, as far as they have said, on the others. Never stored. */
export function createPresence({ node, now, onChange, onOwnChange }: BoardOptions): PresenceBoard {
  const own = new Map<number, Map<number, number>>();
  const others = new Map<string, { online: Map<number, number[]>; heardAt: number }>();

  const onlineAgents = (siteId: number): number[] => {
    const ids = new Set(own.get(siteId)?.keys());
    for (const [name, { online, heardAt }] of others) {
      if (now() - heardAt > PRESENCE_EXPIRY_MS) others.delete(name);
      else for (const id of online.get(siteId) ?? []) ids.add(id);
    }
    return [...ids].sort((a, b) => a - b);
  };

  const ownChanged = (siteId: number): void => {
    onChange(siteId);
    onOwnChange();
  };

  return {
    onlineAgents,
    opened(siteId, agentId) {
      const agents = own.get(siteId) ?? new Map<number, number>();
      const sockets = (agents.get(agentId) ?? 0) + 1;
      own.set(siteId, agents.set(agentId, sockets));
      if (sockets === 1) ownChanged(siteId);
    },
    closed(siteId, agentId) {
      const agents = own.get(siteId);
      const sockets = (agents?.get(agentId) ?? 0) - 1;
      if (!agents || sockets < 0) return;
      if (sockets > 0) agents.set(agentId, sockets);
      else agents.delete(agentId);
      if (agents.size === 0) own.delete(siteId);
      if (sockets === 0) ownChanged(siteId);
    },
    learn({ presence }) {
      if (presence.node === node) return;
      const online = new Map(Object.entries(presence.online).map(([site, ids]) => [Number(site), ids]));
      const before = others.get(presence.node)?.online ?? new Map<number, number[]>();
      others.set(presence.node, { online, heardAt: now() });
      for (const siteId of new Set([...before.keys(), ...online.keys()])) {
        if (String(before.get(siteId) ?? []) !== String(online.get(siteId) ?? [])) onChange(siteId);
      }
    },
    snapshot: () => ({
      presence: {
        node,
        online: Object.fromEntries([...own].map(([siteId, agents]) => [siteId, [...agents.keys()]])),
      },
    }),
  };
}
