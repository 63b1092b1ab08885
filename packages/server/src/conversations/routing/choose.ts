import type { AgentRef } from '@foyer/protocol';
import type { StoredReasons } from '../../db/column-types.ts';
import {
  fallsBack,
  type Offer,
  offerOf,
  type RoutedChat,
  type Staff,
  type StaffAgent,
  suited,
} from '../../sites/teams/staff.ts';

/** A waiting chat with what the choice of its agent depends on. */
export interface WaitingChat extends RoutedChat {
  id: number;
  /** The agent who had the visitor's last chat; null if that doesn't matter. */
  last_agent: number | null;
  /** That nobody is available was recorded since it waits. */
  explained: boolean;
  tag_names: string[];
}

export interface Choice {
  chat: WaitingChat;
  agent: AgentRef;
  /** Of the agent: later than all before. Seconds since 1970. */
  turn: number;
  reasons: StoredReasons;
}

/** Microseconds apart, so that the turns of one step differ and none is in the future for long. */
const TURN_S = 0.000_001;

/** Chooses agents for chats in their order, and counts along who has how many. Nothing is stored. */
export class Chooser {
  readonly #staff: Staff;
  readonly #now: Date;
  readonly #online: ReadonlySet<number>;
  /** Active chats by agent. */
  readonly #busy: Map<number, number>;
  readonly #turns: Map<number, number>;
  /** Chats with the same needs have the same offer. */
  readonly #offers = new Map<string, Offer>();
  /** Later than all turns before, also those that a node with another clock gave. */
  #lastTurn: number;

  constructor(staff: Staff, online: readonly number[], busy: ReadonlyMap<number, number>, now: Date) {
    this.#staff = staff;
    this.#now = now;
    this.#online = new Set(online);
    this.#busy = new Map(busy);
    this.#turns = new Map(staff.agents.map(({ id, turn }) => [id, turn ?? 0]));
    this.#lastTurn = Math.max(now.getTime() / 1000, ...this.#turns.values());
  }

  #hasRoom = ({ id, chat_limit }: StaffAgent): boolean =>
    this.#online.has(id) && (this.#busy.get(id) ?? 0) < chat_limit;

  /** Whether anybody can get another chat. */
  get hasRoom(): boolean {
    return this.#staff.agents.some(this.#hasRoom);
  }

  #offer(chat: WaitingChat): Offer {
    const fellBack = fallsBack(this.#staff, chat, this.#now);
    const key = JSON.stringify([chat.team_id, chat.language, chat.tags, fellBack]);
    const known = this.#offers.get(key);
    if (known) return known;
    const offer = offerOf(this.#staff, chat, this.#now);
    this.#offers.set(key, offer);
    return offer;
  }

  /** The agent for a chat; `nobody` if no suitable one is there; undefined if all are busy, or agents pick. */
  choose(chat: WaitingChat): Choice | { nobody: StoredReasons } | undefined {
    const offer = this.#offer(chat);
    if (offer.routing === 'manual') return undefined;
    const free = offer.isClosed ? [] : offer.agents.filter(this.#hasRoom);
    if (free.length === 0) {
      const isThere = !offer.isClosed && offer.agents.some(({ id }) => this.#online.has(id));
      return isThere ? undefined : { nobody: this.#reasons(chat, offer, null, null) };
    }
    // Offered to everybody, it still goes to those who are suited best.
    const best = offer.fellBack ? { ...offer, ...suited(free, chat) } : { ...offer, agents: free };
    const known = best.agents.find(({ id }) => id === chat.last_agent);
    const agent =
      known ?? best.agents.reduce((one, other) => (this.#isBefore(other, one, offer) ? other : one));
    const open = this.#busy.get(agent.id) ?? 0;
    const reasons = this.#reasons(chat, best, known ? 'last_agent' : offer.routing, open);
    this.#busy.set(agent.id, open + 1);
    this.#lastTurn += TURN_S;
    this.#turns.set(agent.id, this.#lastTurn);
    return { chat, agent: { id: agent.id, name: agent.name }, turn: this.#lastTurn, reasons };
  }

  #isBefore(one: StaffAgent, other: StaffAgent, { routing }: Offer): boolean {
    const busy = (this.#busy.get(one.id) ?? 0) - (this.#busy.get(other.id) ?? 0);
    if (routing === 'least_busy' && busy !== 0) return busy < 0;
    const turn = (this.#turns.get(one.id) ?? 0) - (this.#turns.get(other.id) ?? 0);
    return turn === 0 ? one.id < other.id : turn < 0;
  }

  #reasons(
    chat: WaitingChat,
    { language, tags, team, fellBack }: Offer,
    by: StoredReasons['by'],
    open: number | null,
  ): StoredReasons {
    const names = chat.tag_names.filter((_, at) => tags.includes(chat.tags[at] ?? 0));
    return { by, open_chats: open, language, tags: names, team, fell_back: fellBack };
  }
}
