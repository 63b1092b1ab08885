import type { ChosenPresence } from '@foyer/protocol';
import type { Presence } from '../core/context.ts';

/** How often a node repeats its state. States that aren't repeated within the expiry time are dropped. */
export const PRESENCE_REPEAT_MS = 5_000;
export const PRESENCE_EXPIRY_MS = 16_000;
/** Keeps a notice within the bus's limit. */
const SITES_PER_NOTICE = 50;

/**
 * A message between nodes: the agents online and away at these sites. It says nothing about other sites; without any,
 * only that the node is there.
 */
export interface PresenceNotice {
  presence: { node: string; online: Record<string, number[]>; away: Record<string, number[]> };
}

/**
 * A site's agents who have the desk open and aren't invisible. Online on one node and idle on another counts as
 * online.
 */
interface Present {
  online: number[];
  away: number[];
}

export interface AgentSeat {
  siteId: number;
  agentId: number;
}

/** Identifies one open socket. */
type Socket = object;

export interface PresenceBoard extends Presence {
  /** As far as this node knows it: all of it once `whenKnown` has resolved. */
  present(siteId: number): Present;
  whenKnown(siteId: number): Promise<void>;
  /** Whether an agent of the site has the desk open. Invisible ones of other nodes are unknown. */
  isAnybodyAt(siteId: number): boolean;
  opened(seat: AgentSeat, socket: Socket, chosen: ChosenPresence): void;
  closed(seat: AgentSeat, socket: Socket): void;
  /** The socket's page has become idle or active. */
  idle(seat: AgentSeat, socket: Socket, idle: boolean): void;
  chose(seat: AgentSeat, chosen: ChosenPresence): void;
  /** False for an agent of this node who is invisible to the team. */
  isShown(seat: AgentSeat): boolean;
  /** This node's active agents, including invisible ones. */
  atDesk(): AgentSeat[];
  /** Whether other nodes have been heard from recently. */
  hasOthers(): boolean;
  /** Merges another node's agents, as they were `ageMs` ago. */
  learn(notice: PresenceNotice, ageMs?: number): void;
  /** Call it every PRESENCE_REPEAT_MS: repeats this node's agents to the others and forgets dead nodes. */
  repeat(): void;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** A site's online or away agents have changed. */
  onChange(siteId: number): void;
  /** One of this node's agents has become active. */
  onAtDesk(seat: AgentSeat): void;
  /** Sends to the other nodes: to those that need these sites, or to all if it names none. */
  publish(notice: PresenceNotice): void;
  /** Resolves when this node has received the other nodes' agents of a site. */
  recall(siteId: number): Promise<void>;
}

/** Another node's state. */
interface Node {
  heardAt: number;
  sites: Map<number, Present & { heardAt: number }>;
}

/** An agent with at least one socket on this node. */
interface OwnAgent {
  chosen: ChosenPresence;
  /** Whether each socket is idle. */
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

const DEFAULT_AGENT = (): OwnAgent => ({ chosen: 'online', sockets: new Map() });

/** The agents with an open desk, on this node and, as far as received, on others. Never stored. */
export function createPresence(options: BoardOptions): PresenceBoard {
  return new Board(options);
}

class Board implements PresenceBoard {
  readonly #options: BoardOptions;
  readonly #own = new Map<number, Map<number, OwnAgent>>();
  readonly #others = new Map<string, Node>();

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  present(siteId: number): Present {
    const others = [...this.#others.values()]
      .map(({ sites }) => sites.get(siteId))
      .filter((site) => site && !this.#isSilent(site));
    const all = [presentOf(this.#own.get(siteId)), ...others];
    const online = new Set(all.flatMap((one) => one?.online ?? []));
    const away = new Set(all.flatMap((one) => one?.away ?? []));
    return { online: sorted(online), away: sorted(away).filter((id) => !online.has(id)) };
  }

  isAnybodyAt(siteId: number): boolean {
    if (this.#own.has(siteId)) return true;
    for (const { sites } of this.#others.values()) {
      const there = sites.get(siteId);
      if (there && !this.#isSilent(there) && there.online.length + there.away.length > 0) return true;
    }
    return false;
  }

  whenKnown(siteId: number): Promise<void> {
    return this.#options.recall(siteId);
  }

  async onlineAgents(siteId: number): Promise<number[]> {
    await this.whenKnown(siteId);
    return this.present(siteId).online;
  }

  opened(seat: AgentSeat, socket: Socket, chosen: ChosenPresence): void {
    this.#change(seat, (agent) => ({ chosen, sockets: new Map(agent?.sockets).set(socket, false) }));
  }

  closed(seat: AgentSeat, socket: Socket): void {
    this.#changeKnown(seat, ({ sockets }) => sockets.delete(socket));
  }

  idle(seat: AgentSeat, socket: Socket, idle: boolean): void {
    this.#changeKnown(seat, ({ sockets }) => {
      if (sockets.has(socket)) sockets.set(socket, idle);
    });
  }

  chose(seat: AgentSeat, chosen: ChosenPresence): void {
    this.#changeKnown(seat, (agent) => {
      agent.chosen = chosen;
    });
  }

  isShown({ siteId, agentId }: AgentSeat): boolean {
    return this.#own.get(siteId)?.get(agentId)?.chosen !== 'invisible';
  }

  atDesk(): AgentSeat[] {
    return [...this.#own].flatMap(([siteId, agents]) =>
      [...agents].filter(([, agent]) => works(agent)).map(([agentId]) => ({ siteId, agentId })),
    );
  }

  hasOthers(): boolean {
    return this.#others.size > 0;
  }

  learn({ presence }: PresenceNotice, ageMs = 0): void {
    const { node, now, onChange } = this.#options;
    if (presence.node === node) return;
    const known = this.#others.get(presence.node);
    const sites: Node['sites'] = known?.sites ?? new Map();
    const heardAt = now() - ageMs;
    this.#others.set(presence.node, { sites, heardAt: Math.max(heardAt, known?.heardAt ?? heardAt) });
    for (const [key, online] of Object.entries(presence.online)) {
      const siteId = Number(key);
      const away = presence.away[key] ?? [];
      const before = sites.get(siteId);
      // The retained state may be read after its successor was received.
      if (before && before.heardAt > heardAt) continue;
      sites.set(siteId, { online, away, heardAt });
      if (String(before?.online ?? []) !== String(online) || String(before?.away ?? []) !== String(away))
        onChange(siteId);
    }
    // A new node doesn't know this one's agents yet.
    if (!known && this.#own.size > 0) this.#publishAll();
  }

  repeat(): void {
    const { node, publish } = this.#options;
    this.#forgetSilent();
    publish({ presence: { node, online: {}, away: {} } });
    this.#publishAll();
  }

  /** Changes an agent of this node. Others are notified only if it changes what they see. */
  #change({ siteId, agentId }: AgentSeat, alter: (agent: OwnAgent | undefined) => OwnAgent): void {
    const { onChange, onAtDesk } = this.#options;
    const agents = this.#own.get(siteId) ?? new Map<number, OwnAgent>();
    const known = agents.get(agentId);
    const before = JSON.stringify(presentOf(agents));
    const worked = known !== undefined && works(known);
    const agent = alter(known);
    if (agent.sockets.size > 0) agents.set(agentId, agent);
    else agents.delete(agentId);
    if (agents.size > 0) this.#own.set(siteId, agents);
    else this.#own.delete(siteId);
    if (!worked && agent.sockets.size > 0 && works(agent)) onAtDesk({ siteId, agentId });
    if (JSON.stringify(presentOf(agents)) === before) return;
    onChange(siteId);
    this.#publish([siteId]);
  }

  /** Like `#change`, for an agent who may be gone by now. */
  #changeKnown(seat: AgentSeat, alter: (agent: OwnAgent) => void): void {
    if (!this.#own.get(seat.siteId)?.has(seat.agentId)) return;
    this.#change(seat, (agent = DEFAULT_AGENT()) => {
      alter(agent);
      return agent;
    });
  }

  #publishAll(): void {
    const sites = [...this.#own.keys()];
    for (let from = 0; from < sites.length; from += SITES_PER_NOTICE)
      this.#publish(sites.slice(from, from + SITES_PER_NOTICE));
  }

  #publish(sites: readonly number[]): void {
    const { node, publish } = this.#options;
    const presents = sites.map((siteId) => [siteId, presentOf(this.#own.get(siteId))] as const);
    const online = Object.fromEntries(presents.map(([siteId, one]) => [siteId, one.online]));
    const away = Object.fromEntries(presents.map(([siteId, one]) => [siteId, one.away]));
    publish({ presence: { node, online, away } });
  }

  #forgetSilent(): void {
    for (const [name, other] of this.#others) {
      const gone = [...other.sites].filter(([, site]) => this.#isSilent(site));
      for (const [siteId] of gone) other.sites.delete(siteId);
      if (this.#isSilent(other)) this.#others.delete(name);
      for (const [siteId, { online, away }] of gone)
        if (online.length + away.length > 0) this.#options.onChange(siteId);
    }
  }

  #isSilent({ heardAt }: { heardAt: number }): boolean {
    return this.#options.now() - heardAt > PRESENCE_EXPIRY_MS;
  }
}
