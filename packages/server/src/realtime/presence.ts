import type { Presence } from '../context.ts';

/** A node repeats what it knows this often; what was not repeated for longer than the expiry has gone. */
export const PRESENCE_REPEAT_MS = 5_000;
const PRESENCE_EXPIRY_MS = 16_000;
/** Of one notice, so that it fits the bus. */
const SITES_PER_NOTICE = 100;

/** What nodes tell each other: who is online at these sites. It says nothing of other sites. */
export interface PresenceNotice {
  presence: { node: string; online: Record<string, number[]> };
}

export interface PresenceBoard extends Presence {
  opened(siteId: number, agentId: number): void;
  closed(siteId: number, agentId: number): void;
  /** Another node's agents. */
  learn(notice: PresenceNotice): void;
  /** To be called every PRESENCE_REPEAT_MS: tells the others again, and forgets nodes that have gone. */
  repeat(): void;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** A site's set of online agents changed. */
  onChange(siteId: number): void;
  /** Tells the other nodes. */
  publish(notice: PresenceNotice): void;
}

/** What another node has said. */
interface Node {
  heardAt: number;
  sites: Map<number, { ids: number[]; heardAt: number }>;
}

/** Who has an open dashboard, on this node and, as far as they have said, on the others. Never stored. */
export function createPresence({ node, now, onChange, publish }: BoardOptions): PresenceBoard {
  const own = new Map<number, Map<number, number>>();
  const others = new Map<string, Node>();
  const isSilent = ({ heardAt }: { heardAt: number }): boolean => now() - heardAt > PRESENCE_EXPIRY_MS;

  const onlineAgents = (siteId: number): number[] => {
    const ids = new Set(own.get(siteId)?.keys());
    for (const { sites } of others.values()) for (const id of sites.get(siteId)?.ids ?? []) ids.add(id);
    return [...ids].sort((a, b) => a - b);
  };

  const tell = (sites: readonly number[]): void => {
    const online = Object.fromEntries(sites.map((siteId) => [siteId, [...(own.get(siteId)?.keys() ?? [])]]));
    publish({ presence: { node, online } });
  };
  const tellAll = (): void => {
    const sites = [...own.keys()];
    // One at least: a node that has nobody makes itself known too, and is told of the others.
    for (let from = 0; from === 0 || from < sites.length; from += SITES_PER_NOTICE)
      tell(sites.slice(from, from + SITES_PER_NOTICE));
  };

  const ownChanged = (siteId: number): void => {
    onChange(siteId);
    tell([siteId]);
  };

  const forgetSilent = (): void => {
    for (const [name, other] of others) {
      const gone = [...other.sites].filter(([, site]) => isSilent(site));
      for (const [siteId] of gone) other.sites.delete(siteId);
      if (isSilent(other)) others.delete(name);
      for (const [siteId] of gone) onChange(siteId);
    }
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
      const known = others.get(presence.node);
      const sites: Node['sites'] = known?.sites ?? new Map();
      others.set(presence.node, { sites, heardAt: now() });
      for (const [key, ids] of Object.entries(presence.online)) {
        const siteId = Number(key);
        const before = sites.get(siteId)?.ids ?? [];
        if (ids.length > 0) sites.set(siteId, { ids, heardAt: now() });
        else sites.delete(siteId);
        if (String(before) !== String(ids)) onChange(siteId);
      }
      if (!known && own.size > 0) tellAll();
    },
    repeat() {
      forgetSilent();
      tellAll();
    },
  };
}
