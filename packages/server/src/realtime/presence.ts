import type { ChosenPresence } from '@foyer/protocol';
import type { Presence } from '../context.ts';

/** A node repeats what it knows this often; what was not repeated for longer than the expiry has gone. */
export const PRESENCE_REPEAT_MS = 5_000;
const PRESENCE_EXPIRY_MS = 16_000;
/** Of one notice, so that it fits the bus. */
const SITES_PER_NOTICE = 50;

/** What nodes tell each other: who is at these sites' desks, and who is away. It says nothing of other sites. */
export interface PresenceNotice {
  presence: { node: string; online: Record<string, number[]>; away: Record<string, number[]> };
}

/** Who of a site has the desk open and lets the team know. Whoever is on one node online and on another idle is online. */
export interface Present {
  online: number[];
  away: number[];
}

export interface AgentSeat {
  siteId: number;
  agentId: number;
}

/** Something that stands for one open socket. */
type Socket = object;

export interface PresenceBoard extends Presence {
  present(siteId: number): Present;
  opened(seat: AgentSeat, socket: Socket, chosen: ChosenPresence): void;
  closed(seat: AgentSeat, socket: Socket): void;
  /** Nobody has touched this socket's page for a while, or somebody has again. */
  idle(seat: AgentSeat, socket: Socket, idle: boolean): void;
  chose(seat: AgentSeat, chosen: ChosenPresence): void;
  /** Whether the team may know that this agent of this node is there. */
  isShown(seat: AgentSeat): boolean;
  /** This node's agents who work just now, the invisible ones too. */
  atDesk(): AgentSeat[];
  /** Another node's agents. */
  learn(notice: PresenceNotice): void;
  /** To be called every PRESENCE_REPEAT_MS: tells the others again, and forgets nodes that have gone. */
  repeat(): void;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** Others of a site are online or away now. */
  onChange(siteId: number): void;
  /** One of this node's agents works again. */
  onAtDesk(seat: AgentSeat): void;
  /** Tells the other nodes. */
  publish(notice: PresenceNotice): void;
}

/** What another node has said. */
interface Node {
  heardAt: number;
  sites: Map<number, Present & { heardAt: number }>;
}

/** An agent with at least one socket on this node. */
interface OwnAgent {
  chosen: ChosenPresence;
  /** Whether each is idle. */
  sockets: Map<Socket, boolean>;
}

const isIdle = ({ sockets }: OwnAgent): boolean => [...sockets.values()].every((idle) => idle);
const works = (agent: OwnAgent): boolean => agent.chosen !== 'away' && !isIdle(agent);

function presentOf(agents: ReadonlyMap<number, OwnAgent> | undefined): Present {
  const present: Present = { online: [], away: [] };
  for (const [id, agent] of agents ?? []) {
    if (agent.chosen !== 'invisible') present[works(agent) ? 'online' : 'away'].push(id);
  }
  return present;
}

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** Who has an open dashboard, on this node and, as far as they have said, on the others. Never stored. */
export function createPresence({ node, now, onChange, onAtDesk, publish }: BoardOptions): PresenceBoard {
  const own = new Map<number, Map<number, OwnAgent>>();
  const others = new Map<string, Node>();
  const isSilent = ({ heardAt }: { heardAt: number }): boolean => now() - heardAt > PRESENCE_EXPIRY_MS;

  const present = (siteId: number): Present => {
    const all = [presentOf(own.get(siteId)), ...[...others.values()].map(({ sites }) => sites.get(siteId))];
    const online = new Set(all.flatMap((one) => one?.online ?? []));
    const away = new Set(all.flatMap((one) => one?.away ?? []));
    return { online: sorted(online), away: sorted(away).filter((id) => !online.has(id)) };
  };

  const tell = (sites: readonly number[]): void => {
    const told = sites.map((siteId) => [siteId, presentOf(own.get(siteId))] as const);
    const online = Object.fromEntries(told.map(([siteId, one]) => [siteId, one.online]));
    const away = Object.fromEntries(told.map(([siteId, one]) => [siteId, one.away]));
    publish({ presence: { node, online, away } });
  };
  const tellAll = (): void => {
    const sites = [...own.keys()];
    // One at least: a node that has nobody makes itself known too, and is told of the others.
    for (let from = 0; from === 0 || from < sites.length; from += SITES_PER_NOTICE)
      tell(sites.slice(from, from + SITES_PER_NOTICE));
  };

  /** Changes an agent of this node; the others are told only of what they see. */
  const change = ({ siteId, agentId }: AgentSeat, alter: (agent: OwnAgent | undefined) => OwnAgent): void => {
    const agents = own.get(siteId) ?? new Map<number, OwnAgent>();
    const known = agents.get(agentId);
    const before = JSON.stringify(presentOf(agents));
    const worked = known !== undefined && works(known);
    const agent = alter(known);
    if (agent.sockets.size > 0) agents.set(agentId, agent);
    else agents.delete(agentId);
    if (agents.size > 0) own.set(siteId, agents);
    else own.delete(siteId);
    if (!worked && agent.sockets.size > 0 && works(agent)) onAtDesk({ siteId, agentId });
    if (JSON.stringify(presentOf(agents)) === before) return;
    onChange(siteId);
    tell([siteId]);
  };

  /** As `change`, for an agent who may have gone meanwhile. */
  const changeKnown = (seat: AgentSeat, alter: (agent: OwnAgent) => void): void => {
    if (!own.get(seat.siteId)?.has(seat.agentId)) return;
    change(seat, (agent = { chosen: 'online', sockets: new Map() }) => {
      alter(agent);
      return agent;
    });
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
    present,
    onlineAgents: (siteId) => present(siteId).online,
    opened(seat, socket, chosen) {
      change(seat, (agent) => ({ chosen, sockets: new Map(agent?.sockets).set(socket, false) }));
    },
    closed(seat, socket) {
      changeKnown(seat, ({ sockets }) => sockets.delete(socket));
    },
    idle(seat, socket, idle) {
      changeKnown(seat, ({ sockets }) => {
        if (sockets.has(socket)) sockets.set(socket, idle);
      });
    },
    chose(seat, chosen) {
      changeKnown(seat, (agent) => {
        agent.chosen = chosen;
      });
    },
    isShown: ({ siteId, agentId }) => own.get(siteId)?.get(agentId)?.chosen !== 'invisible',
    atDesk: () =>
      [...own].flatMap(([siteId, agents]) =>
        [...agents].filter(([, agent]) => works(agent)).map(([agentId]) => ({ siteId, agentId })),
      ),
    learn({ presence }) {
      if (presence.node === node) return;
      const known = others.get(presence.node);
      const sites: Node['sites'] = known?.sites ?? new Map();
      others.set(presence.node, { sites, heardAt: now() });
      for (const [key, online] of Object.entries(presence.online)) {
        const siteId = Number(key);
        const away = presence.away[key] ?? [];
        const before = sites.get(siteId);
        if (online.length + away.length > 0) sites.set(siteId, { online, away, heardAt: now() });
        else sites.delete(siteId);
        if (String(before?.online ?? []) !== String(online) || String(before?.away ?? []) !== String(away))
          onChange(siteId);
      }
      if (!known && own.size > 0) tellAll();
    },
    repeat() {
      forgetSilent();
      tellAll();
    },
  };
}
