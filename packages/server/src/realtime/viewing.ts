import { VIEWERS_MAX, type Viewer } from '@foyer/protocol';
import type { Peer } from './peer.ts';

/** A node repeats what it knows this often; what was not repeated for longer than the expiry has gone. */
export const VIEWING_REPEAT_MS = 5_000;
const VIEWING_EXPIRY_MS = 16_000;
/** Of one notice, so that it fits the bus. */
const PLACES_PER_NOTICE = 10;

/** A chat or a ticket of a site. */
export interface Viewed {
  site: number;
  session_id: string | null;
  ticket_id: number | null;
}

/** What nodes tell each other: who of theirs has these open now. */
export interface ViewingNotice {
  viewing: { node: string; places: (Viewed & { viewers: Viewer[] })[] };
}

export interface ViewingBoard {
  /** A desk has another chat or ticket open, or none, or begins or ends a reply. */
  view(peer: Peer, viewed: Omit<Viewed, 'site'>, replying: boolean): void;
  /** Its socket is gone. */
  left(peer: Peer): void;
  /** Another node's. */
  learn(notice: ViewingNotice): void;
  /** To be called every VIEWING_REPEAT_MS: tells the others again, and forgets nodes that have gone. */
  repeat(): void;
}

interface BoardOptions {
  node: string;
  now(): number;
  /** Whether the team may know that this agent is there. */
  isShown(siteId: number, agentId: number): boolean;
  publish(notice: ViewingNotice): void;
}

interface Place {
  viewed: Viewed;
  own: Map<Peer, boolean>;
  others: Map<string, { viewers: readonly Viewer[]; heardAt: number }>;
  /** What this node's desks were told last, and the other nodes. */
  told: string;
  published: string;
}

const keyOf = ({ site, session_id, ticket_id }: Viewed): string => `${site}:${session_id ?? ticket_id}`;

/** One for each agent, who replies if one of their desks does. */
function merged(lists: readonly (readonly Viewer[])[]): Viewer[] {
  const found = new Map<number, Viewer>();
  for (const viewer of lists.flat()) {
    const replying = viewer.replying || (found.get(viewer.id)?.replying ?? false);
    found.set(viewer.id, { ...viewer, replying });
  }
  return [...found.values()].sort((one, other) => one.id - other.id).slice(0, VIEWERS_MAX);
}

/** Who of a team has which chat or ticket open, on this node and, as far as they have said, on the others. Never stored. */
export function createViewing({ node, now, isShown, publish }: BoardOptions): ViewingBoard {
  const places = new Map<string, Place>();
  const placeOf = new Map<Peer, Place>();

  const ownViewers = ({ viewed, own }: Place): Viewer[] =>
    merged([
      [...own].flatMap(([{ actor }, replying]) =>
        actor.kind === 'agent' && isShown(viewed.site, actor.agentId)
          ? [{ id: actor.agentId, name: actor.name, replying }]
          : [],
      ),
    ]);

  /** Tells this node's desks what is new to them; a place that nobody has open is forgotten. */
  const tell = (place: Place): void => {
    const { session_id, ticket_id } = place.viewed;
    const viewers = merged([ownViewers(place), ...[...place.others.values()].map((other) => other.viewers)]);
    const told = JSON.stringify(viewers);
    if (told !== place.told) {
      place.told = told;
      for (const peer of place.own.keys()) peer.send({ type: 'viewers', session_id, ticket_id, viewers });
    }
    if (place.own.size === 0 && place.others.size === 0) places.delete(keyOf(place.viewed));
  };

  const change = (place: Place): void => {
    const viewers = ownViewers(place);
    const published = JSON.stringify(viewers);
    if (published !== place.published) publish({ viewing: { node, places: [{ ...place.viewed, viewers }] } });
    place.published = published;
    tell(place);
  };

  const known = (viewed: Viewed): Place => {
    const found = places.get(keyOf(viewed));
    if (found) return found;
    const made = { viewed, own: new Map(), others: new Map(), told: '[]', published: '[]' };
    places.set(keyOf(viewed), made);
    return made;
  };

  const leave = (peer: Peer): void => {
    const place = placeOf.get(peer);
    placeOf.delete(peer);
    if (place?.own.delete(peer)) change(place);
  };

  return {
    left: leave,
    view(peer, { session_id, ticket_id }, replying) {
      const viewed = { site: peer.site.id, session_id, ticket_id };
      const isNone = session_id === null && ticket_id === null;
      const before = placeOf.get(peer);
      if (before && (isNone || keyOf(before.viewed) !== keyOf(viewed))) leave(peer);
      if (isNone) return;
      const place = known(viewed);
      if (!place.own.has(peer)) place.told = '';
      placeOf.set(peer, place);
      place.own.set(peer, replying);
      change(place);
    },
    learn({ viewing }) {
      if (viewing.node === node) return;
      for (const { viewers, ...viewed } of viewing.places) {
        const place = viewers.length > 0 ? known(viewed) : places.get(keyOf(viewed));
        if (!place) continue;
        if (viewers.length > 0) place.others.set(viewing.node, { viewers, heardAt: now() });
        else place.others.delete(viewing.node);
        tell(place);
      }
    },
    repeat() {
      for (const place of [...places.values()]) {
        for (const [name, { heardAt }] of place.others)
          if (now() - heardAt > VIEWING_EXPIRY_MS) place.others.delete(name);
        change(place);
      }
      const told = [...places.values()]
        .map((place) => ({ ...place.viewed, viewers: ownViewers(place) }))
        .filter(({ viewers }) => viewers.length > 0);
      for (let from = 0; from < told.length; from += PLACES_PER_NOTICE)
        publish({ viewing: { node, places: told.slice(from, from + PLACES_PER_NOTICE) } });
    },
  };
}
