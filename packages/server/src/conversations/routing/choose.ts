import type { AgentRef } from '@foyer/protocol';
import type { StoredReasons } from '../../db/column-types.ts';
import {
  fallsBack,
  type Offer,
  offerOf,
  type RoutedWork,
  type Staff,
  type StaffAgent,
  suited,
} from '../../sites/teams/staff.ts';

/** Why one gets an agent, or none; `open` is how many that agent had before. */
export type RoutingReasons = Omit<StoredReasons, 'open_chats'> & { open: number | null };

/** A waiting chat or ticket with what the choice of its agent depends on. */
export interface WaitingWork extends RoutedWork {
  id: number;
  /** The agent who had the person's last one; null if that doesn't matter. */
  last_agent: number | null;
  /** Whether it was recorded, since it waits, that nobody is available. */
  explained: boolean;
  tag_names: string[];
}

export interface Choice {
  work: WaitingWork;
  agent: AgentRef;
  /** The agent's turn: later than all before. Seconds since 1970. */
  turn: number;
  reasons: RoutingReasons;
}

/** Microseconds apart, so that the turns of one step differ and none is in the future for long. */
const TURN_S = 0.000_001;

/** Chooses agents for chats or for tickets, in their order, and counts what each agent has. Nothing is stored. */
export class Chooser {
  readonly #staff: Staff;
  readonly #now: Date;
  readonly #online: ReadonlySet<number>;
  /** How much of this work each agent has. */
  readonly #busy: Map<number, number>;
  readonly #turns: Map<number, number>;
  /** Work with the same needs has the same candidates. */
  readonly #offers = new Map<string, Offer>();
  /** Later than all turns before, including those of a node with another clock. */
  #lastTurn: number;

  constructor(staff: Staff, online: readonly number[], busy: ReadonlyMap<number, number>, now: Date) {
    this.#staff = staff;
    this.#now = now;
    this.#online = new Set(online);
    this.#busy = new Map(busy);
    this.#turns = new Map(staff.agents.map(({ id, turn }) => [id, turn ?? 0]));
    this.#lastTurn = Math.max(now.getTime() / 1000, ...this.#turns.values());
  }

  #hasRoom = ({ id, limit }: StaffAgent): boolean =>
    this.#online.has(id) && (this.#busy.get(id) ?? 0) < limit;

  /** Whether anybody can get more of it. */
  get hasRoom(): boolean {
    return this.#staff.agents.some(this.#hasRoom);
  }

  #offer(work: WaitingWork): Offer {
    const fellBack = fallsBack(this.#staff, work, this.#now);
    const key = JSON.stringify([work.team_id, work.language, work.tags, fellBack]);
    const known = this.#offers.get(key);
    if (known) return known;
    const offer = offerOf(this.#staff, work, this.#now);
    this.#offers.set(key, offer);
    return offer;
  }

  /** The agent for one; `nobody` if no suitable one is available; undefined if all are busy, or agents pick. */
  choose(work: WaitingWork): Choice | { nobody: RoutingReasons } | undefined {
    const offer = this.#offer(work);
    if (offer.routing === 'manual') return undefined;
    const free = offer.isClosed ? [] : offer.agents.filter(this.#hasRoom);
    if (free.length === 0) {
      const isThere = !offer.isClosed && offer.agents.some(({ id }) => this.#online.has(id));
      return isThere ? undefined : { nobody: this.#reasons(work, offer, null, null) };
    }
    // Offered to everybody, it still goes to the most suitable agents.
    const best = offer.fellBack ? { ...offer, ...suited(free, work) } : { ...offer, agents: free };
    const known = best.agents.find(({ id }) => id === work.last_agent);
    const agent =
      known ?? best.agents.reduce((one, other) => (this.#isBefore(other, one, offer) ? other : one));
    const open = this.#busy.get(agent.id) ?? 0;
    const reasons = this.#reasons(work, best, known ? 'last_agent' : offer.routing, open);
    this.#busy.set(agent.id, open + 1);
    this.#lastTurn += TURN_S;
    this.#turns.set(agent.id, this.#lastTurn);
    return { work, agent: { id: agent.id, name: agent.name }, turn: this.#lastTurn, reasons };
  }

  #isBefore(one: StaffAgent, other: StaffAgent, { routing }: Offer): boolean {
    const busy = (this.#busy.get(one.id) ?? 0) - (this.#busy.get(other.id) ?? 0);
    if (routing === 'least_busy' && busy !== 0) return busy < 0;
    const turn = (this.#turns.get(one.id) ?? 0) - (this.#turns.get(other.id) ?? 0);
    return turn === 0 ? one.id < other.id : turn < 0;
  }

  #reasons(
    work: WaitingWork,
    { language, tags, team, fellBack }: Offer,
    by: RoutingReasons['by'],
    open: number | null,
  ): RoutingReasons {
    const names = work.tag_names.filter((_, at) => tags.includes(work.tags[at] ?? 0));
    return { by, open, language, tags: names, team, fell_back: fellBack };
  }
}
