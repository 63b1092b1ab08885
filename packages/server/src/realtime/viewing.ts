import { VIEWERS_MAX, type Viewer } from '@foyer/protocol';
import type { Peer } from './peer.ts';

/** How often a node repeats its state. What other nodes don't repeat within the expiry time is dropped. */
export const VIEWING_REPEAT_MS = 5_000;
export const VIEWING_EXPIRY_MS = 16_000;
/** Keeps a notice within the bus's limit. */
const PLACES_PER_NOTICE = 10;

/** A chat or a ticket of a site. */
interface Viewed {
  site: number;
  session_id: string | null;
  ticket_id: number | null;
}

/** A message between nodes: which of a node's agents have these conversations open. */
export interface ViewingNotice {
  viewing: { node: string; places: (Viewed & { viewers: Viewer[] })[] };
}

export interface ViewingBoard {
  /** A desk has opened or closed a chat or ticket, or has started or stopped replying. */
  view(peer: Peer, viewed: Omit<Viewed, 'site'>, replying: boolean): void;
  /** The socket has closed. */
  left(peer: Peer): void;
  /** Merges another node's viewers, as they were `ageMs` ago. */
  learn(notice: ViewingNotice, ageMs?: number): void;
  /**
   * Call it every VIEWING_REPEAT_MS: repeats this node's viewers to the others, and to its desks who else is there, for
   * a desk that missed it. Forgets dead nodes.
   */
  repeat(): void;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** False for an agent who is invisible to the team. */
  isShown(siteId: number, agentId: number): boolean;
  publish(notice: ViewingNotice): void;
}

interface Place {
  viewed: Viewed;
  own: Map<Peer, boolean>;
  others: Map<string, { viewers: readonly Viewer[]; heardAt: number }>;
  /** The last state sent to this node's desks. */
  sent: string;
  /** The last state sent to the other nodes. */
  published: string;
}

const keyOf = ({ site, session_id, ticket_id }: Viewed): string => `${site}:${session_id ?? ticket_id}`;

/** One viewer per agent, who counts as replying if one of their desks is. */
function merged(lists: readonly (readonly Viewer[])[]): Viewer[] {
  const found = new Map<number, Viewer>();
  for (const viewer of lists.flat()) {
    const replying = viewer.replying || (found.get(viewer.id)?.replying ?? false);
    found.set(viewer.id, { ...viewer, replying });
  }
  return [...found.values()].sort((one, other) => one.id - other.id).slice(0, VIEWERS_MAX);
}

/** Which agents have which chat or ticket open, on this node and, as far as received, on others. Never stored. */
export function createViewing(options: BoardOptions): ViewingBoard {
  return new Board(options);
}

class Board implements ViewingBoard {
  readonly #options: BoardOptions;
  readonly #places = new Map<string, Place>();
  readonly #placeOf = new Map<Peer, Place>();

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  left(peer: Peer): void {
    const place = this.#placeOf.get(peer);
    this.#placeOf.delete(peer);
    if (place?.own.delete(peer)) this.#change(place);
  }

  view(peer: Peer, { session_id, ticket_id }: Omit<Viewed, 'site'>, replying: boolean): void {
    const viewed = { site: peer.site.id, session_id, ticket_id };
    const isNone = session_id === null && ticket_id === null;
    const before = this.#placeOf.get(peer);
    if (before && (isNone || keyOf(before.viewed) !== keyOf(viewed))) this.left(peer);
    if (isNone) return;
    const place = this.#known(viewed);
    if (!place.own.has(peer)) place.sent = '';
    this.#placeOf.set(peer, place);
    place.own.set(peer, replying);
    this.#change(place);
  }

  learn({ viewing }: ViewingNotice, ageMs = 0): void {
    const { node, now } = this.#options;
    if (viewing.node === node) return;
    const heardAt = now() - ageMs;
    for (const { viewers, ...viewed } of viewing.places) {
      const place = viewers.length > 0 ? this.#known(viewed) : this.#places.get(keyOf(viewed));
      if (!place) continue;
      // The retained state may be read after its successor was received.
      if ((place.others.get(viewing.node)?.heardAt ?? heardAt) > heardAt) continue;
      if (viewers.length > 0) place.others.set(viewing.node, { viewers, heardAt });
      else place.others.delete(viewing.node);
      this.#send(place);
    }
  }

  repeat(): void {
    const { node, now, publish } = this.#options;
    for (const place of [...this.#places.values()]) {
      for (const [name, { heardAt }] of place.others)
        if (now() - heardAt > VIEWING_EXPIRY_MS) place.others.delete(name);
      if (place.own.size + place.others.size > 1) place.sent = '';
      this.#change(place);
    }
    const own = [...this.#places.values()]
      .map((place) => ({ ...place.viewed, viewers: this.#ownViewers(place) }))
      .filter(({ viewers }) => viewers.length > 0);
    for (let from = 0; from < own.length; from += PLACES_PER_NOTICE)
      publish({ viewing: { node, places: own.slice(from, from + PLACES_PER_NOTICE) } });
  }

  #known(viewed: Viewed): Place {
    const found = this.#places.get(keyOf(viewed));
    if (found) return found;
    const place: Place = { viewed, own: new Map(), others: new Map(), sent: '[]', published: '[]' };
    this.#places.set(keyOf(viewed), place);
    return place;
  }

  #ownViewers({ viewed, own }: Place): Viewer[] {
    const { isShown } = this.#options;
    return merged([
      [...own].flatMap(([{ actor }, replying]) =>
        actor.kind === 'agent' && isShown(viewed.site, actor.agentId)
          ? [{ id: actor.agentId, name: actor.name, replying }]
          : [],
      ),
    ]);
  }

  /** After a change on this node: notifies the other nodes, then this node's desks. */
  #change(place: Place): void {
    const { node, publish } = this.#options;
    const viewers = this.#ownViewers(place);
    const published = JSON.stringify(viewers);
    if (published !== place.published) publish({ viewing: { node, places: [{ ...place.viewed, viewers }] } });
    place.published = published;
    this.#send(place);
  }

  /** Sends this node's desks what they don't have yet. Conversations that nobody has open are forgotten. */
  #send(place: Place): void {
    const { session_id, ticket_id } = place.viewed;
    const others = [...place.others.values()].map((other) => other.viewers);
    const viewers = merged([this.#ownViewers(place), ...others]);
    const sent = JSON.stringify(viewers);
    if (sent !== place.sent) {
      place.sent = sent;
      for (const peer of place.own.keys()) peer.send({ type: 'viewers', session_id, ticket_id, viewers });
    }
    if (place.own.size === 0 && place.others.size === 0) this.#places.delete(keyOf(place.viewed));
  }
}
