import type { Message, Note, ServerFrame, Session, TicketSummary, VisitorSession } from '@foyer/protocol';
import type { Logger } from 'pino';
import type { Notice } from '../core/events.ts';
import type { TypingFrame } from './notices.ts';
import type { Peer } from './peer.ts';

/** A chat as the hub routes it: to its visitor's sockets and to the site's agents. */
interface SessionFeed {
  visitorId: number;
  deviceId: number | null;
  forVisitor: VisitorSession;
  forAgents: Session;
}

/** How the hub asks the database; it knows no domain. */
export interface Feed {
  messagesAfter(siteId: number, sessionId: string, afterSeq: number, limit: number): Promise<Message[]>;
  session(siteId: number, sessionId: string): Promise<SessionFeed | undefined>;
  note(siteId: number, noteId: number): Promise<Note | undefined>;
  /** Those of these tickets that there are. */
  tickets(siteId: number, ids: readonly number[]): Promise<TicketSummary[]>;
  /** Of these notifications, what their agents' desks need. */
  notifications(siteId: number, ids: readonly number[]): Promise<NotificationNews[]>;
  /** The ids of a site's chats that have changed since then, the newest if there are many. */
  changedSince(siteId: number, since: Date): Promise<string[]>;
}

interface NotificationNews extends Omit<Extract<ServerFrame, { type: 'notified' }>, 'type'> {
  agentId: number;
}

interface Subscription {
  peer: Peer;
  siteId: number;
  sessionId: string;
  /** The last message that went out. */
  seq: number;
  catchingUp: boolean;
  behind: boolean;
}

/** Changes of tickets are told together: a bulk change makes hundreds at once. */
const TICKETS_TOLD_AFTER_MS = 20;
const TICKETS_PER_FRAME = 100;
/** However many come and go: the desk asks who is there so often at most. */
const HERE_TOLD_AFTER_MS = 1_000;

const BATCH = 200;
/** Of the longest messages so many stay below what may lie unsent for one client. */
const FRAMES_IN_FLIGHT = 40;
/** Clocks of nodes differ, and what was under way when the line broke began before. */
const GAP_MARGIN_MS = 60_000;
const keyOf = (siteId: number, sessionId: string): string => `${siteId}:${sessionId}`;
const frameOf = (sessionId: string, message: Message): string =>
  JSON.stringify({ type: 'message', session_id: sessionId, message } satisfies ServerFrame);

interface ReadyFrame {
  seq: number;
  frame: string;
}

const deviceKey = (siteId: number, deviceId: number | null): string => `${siteId}:device:${deviceId}`;
const personKey = (siteId: number, visitorId: number | null): string => `${siteId}:person:${visitorId}`;
const guestKey = (siteId: number, tokenHash: string): string => `${siteId}:guest:${tokenHash}`;

/** A visitor's socket hears of its browser's chats, and of the person's others only with a verified identity. A guest has none. */
function ownKeys(siteId: number, actor: Extract<Peer['actor'], { kind: 'visitor' }>): string[] {
  if (actor.guest) return [guestKey(siteId, actor.guest.tokenHash.toString('base64url'))];
  const device = deviceKey(siteId, actor.deviceId);
  return actor.verified ? [device, personKey(siteId, actor.visitorId)] : [device];
}

/**
 * Brings every change to the sockets that wait for it. A subscriber in step gets a new message at once; any other
 * first gets what it lacks, from the database, so each message comes once and in order.
 */
export class Hub {
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  readonly #byPeer = new Map<Peer, Map<string, Subscription>>();
  readonly #agents = new Map<number, Set<Peer>>();
  readonly #visitors = new Map<string, Set<Peer>>();
  /** Chats whose summary is being loaded; true when it changed again meanwhile. */
  readonly #loading = new Map<string, boolean>();
  /** What is asked of the database in this very moment, by chat and `seq`. */
  readonly #asked = new Map<string, Promise<ReadyFrame[]>>();
  /** Tickets that changed and are told soon, by site. */
  readonly #tickets = new Map<number, Set<number>>();
  /** Sites whose agents are told soon that others are there. */
  readonly #here = new Set<number>();
  readonly #feed: Feed;
  readonly #log: Logger;

  constructor(feed: Feed, log: Logger) {
    this.#feed = feed;
    this.#log = log;
  }

  add(peer: Peer): void {
    this.#byPeer.set(peer, new Map());
    if (peer.actor.kind === 'agent') addTo(this.#agents, peer.site.id, peer);
    else for (const key of ownKeys(peer.site.id, peer.actor)) addTo(this.#visitors, key, peer);
  }

  remove(peer: Peer): void {
    for (const subscription of this.#byPeer.get(peer)?.values() ?? []) {
      removeFrom(this.#subscriptions, keyOf(subscription.siteId, subscription.sessionId), subscription);
    }
    this.#byPeer.delete(peer);
    if (peer.actor.kind === 'agent') removeFrom(this.#agents, peer.site.id, peer);
    else for (const key of ownKeys(peer.site.id, peer.actor)) removeFrom(this.#visitors, key, peer);
  }

  get peers(): Iterable<Peer> {
    return this.#byPeer.keys();
  }

  /** The caller has made sure that this peer may read this chat. Subscribing again begins at the new `afterSeq`. */
  subscribe(peer: Peer, sessionId: string, afterSeq: number): void {
    const mine = this.#byPeer.get(peer);
    if (!mine) return;
    this.unsubscribe(peer, sessionId);
    const subscription: Subscription = {
      peer,
      siteId: peer.site.id,
      sessionId,
      seq: afterSeq,
      catchingUp: false,
      behind: false,
    };
    mine.set(sessionId, subscription);
    addTo(this.#subscriptions, keyOf(peer.site.id, sessionId), subscription);
    void this.#catchUp(subscription);
  }

  unsubscribe(peer: Peer, sessionId: string): void {
    const subscription = this.#byPeer.get(peer)?.get(sessionId);
    if (!subscription) return;
    this.#byPeer.get(peer)?.delete(sessionId);
    removeFrom(this.#subscriptions, keyOf(subscription.siteId, sessionId), subscription);
  }

  isSubscribed(peer: Peer, sessionId: string): boolean {
    return this.#byPeer.get(peer)?.has(sessionId) ?? false;
  }

  tell(siteId: number, notice: Notice): void {
    if (notice.kind === 'message') {
      this.#message(siteId, notice.sessionId, notice.seq, notice.record);
      // The agents' lists show the last message; a visitor's socket has all it needs in the message itself.
      if (this.#agents.has(siteId)) this.#session(siteId, notice.sessionId);
    } else if (notice.kind === 'session') this.#session(siteId, notice.sessionId);
    else if (notice.kind === 'ticket') this.#ticket(siteId, notice.ticketId);
    else if (notice.kind === 'draft') this.#draft(siteId, notice);
    else if (notice.kind === 'notified') void this.#notified(siteId, notice.ids);
    else if (notice.kind === 'device') this.#recorded(siteId, notice);
    else if (notice.kind === 'note') void this.#note(siteId, notice.sessionId, notice.noteId);
    else if (notice.kind === 'visitors_here') this.#visitorsHere(siteId);
    else if (notice.kind === 'lists') this.toAgents(siteId, { type: 'lists_stale' });
    else if (notice.kind === 'views') this.#views(siteId, notice.agentId);
    else if (notice.kind === 'agents') this.toAgents(siteId, { type: 'team_changed' });
  }

  /** Before the notices of what the guest has said, so that its lines hear those. */
  #recorded(siteId: number, { token, visitorId, deviceId }: Extract<Notice, { kind: 'device' }>): void {
    for (const peer of [...(this.#visitors.get(guestKey(siteId, token)) ?? [])]) {
      if (peer.actor.kind !== 'visitor') continue;
      const { guest: _, ...actor } = peer.actor;
      for (const key of ownKeys(siteId, peer.actor)) removeFrom(this.#visitors, key, peer);
      peer.become({ ...actor, visitorId, deviceId });
      for (const key of ownKeys(siteId, peer.actor)) addTo(this.#visitors, key, peer);
    }
  }

  /** To the agent's own sockets alone. */
  #draft(siteId: number, notice: Extract<Notice, { kind: 'draft' }>): void {
    const { agentId, sessionId: session_id, ticketId: ticket_id, draftKind: kind, version } = notice;
    this.toAgent(siteId, agentId, { type: 'draft_changed', session_id, ticket_id, kind, version });
  }

  /** An agent's own views are their business alone. */
  #views(siteId: number, agentId: number | null): void {
    if (agentId === null) this.toAgents(siteId, { type: 'views_changed' });
    else this.toAgent(siteId, agentId, { type: 'views_changed' });
  }

  /** Notices may have been missed: subscribers ask for what they lack, lists are told of all chats that have changed. */
  catchUpAll(since: Date): void {
    for (const subscriptions of this.#subscriptions.values())
      for (const subscription of subscriptions) void this.#catchUp(subscription);
    const sites = new Set([...this.#byPeer.keys()].map((peer) => peer.site.id));
    for (const siteId of sites) {
      this.toAgents(siteId, { type: 'tickets_stale' });
      this.toAgents(siteId, { type: 'visitors_here_changed' });
    }
    for (const siteId of sites) void this.#catchUpLists(siteId, new Date(since.getTime() - GAP_MARGIN_MS));
  }

  async #catchUpLists(siteId: number, since: Date): Promise<void> {
    try {
      for (const sessionId of await this.#feed.changedSince(siteId, since)) this.#session(siteId, sessionId);
    } catch (error) {
      this.#log.warn({ err: error }, 'updating lists failed');
      // As with a chat: whoever comes back asks for everything.
      for (const peer of this.#agents.get(siteId) ?? []) peer.close(1011, 'try again');
    }
  }

  /** Typing and the like: never stored, to the subscribers of the chat. */
  pass(
    siteId: number,
    sessionId: string,
    frame: ServerFrame,
    to: (peer: Peer) => boolean = () => true,
  ): void {
    const raw = JSON.stringify(frame);
    for (const { peer } of this.#subscriptions.get(keyOf(siteId, sessionId)) ?? [])
      if (to(peer)) peer.sendRaw(raw);
  }

  /** Who writes, to all others in the chat; what a visitor has not sent yet, to agents alone. */
  passTyping(siteId: number, frame: TypingFrame, from?: Peer): void {
    const { text, ...told } = frame;
    const isAgent = ({ actor }: Peer): boolean => actor.kind === 'agent';
    this.pass(siteId, frame.session_id, frame, (to) => to !== from && isAgent(to));
    this.pass(siteId, frame.session_id, told, (to) => to !== from && !isAgent(to));
  }

  toAgents(siteId: number, frame: ServerFrame): void {
    const raw = JSON.stringify(frame);
    for (const peer of this.#agents.get(siteId) ?? []) peer.sendRaw(raw);
  }

  toAgent(siteId: number, agentId: number, frame: ServerFrame): void {
    const raw = JSON.stringify(frame);
    for (const peer of this.#agents.get(siteId) ?? [])
      if (peer.actor.kind === 'agent' && peer.actor.agentId === agentId) peer.sendRaw(raw);
  }

  toVisitors(siteId: number, frame: ServerFrame): void {
    const raw = JSON.stringify(frame);
    for (const peer of this.#byPeer.keys())
      if (peer.site.id === siteId && peer.actor.kind === 'visitor') peer.sendRaw(raw);
  }

  #message(siteId: number, sessionId: string, seq: number, record: Message | undefined): void {
    const subscriptions = this.#subscriptions.get(keyOf(siteId, sessionId));
    if (!subscriptions) return;
    const raw = record ? frameOf(sessionId, record) : undefined;
    for (const subscription of subscriptions) {
      if (seq <= subscription.seq) continue;
      if (raw !== undefined && !subscription.catchingUp && seq === subscription.seq + 1) {
        subscription.seq = seq;
        subscription.peer.sendRaw(raw);
      } else void this.#catchUp(subscription);
    }
  }

  async #catchUp(subscription: Subscription): Promise<void> {
    subscription.behind = true;
    if (subscription.catchingUp) return;
    subscription.catchingUp = true;
    const { peer, siteId, sessionId } = subscription;
    try {
      while (subscription.behind && this.#isLive(subscription)) {
        subscription.behind = false;
        const frames = await this.#framesAfter(siteId, sessionId, subscription.seq);
        for (const [index, { seq, frame }] of frames.entries()) {
          if (!this.#isLive(subscription)) return;
          subscription.seq = seq;
          peer.sendRaw(frame);
          // As fast as the client reads, and no faster.
          if (index % FRAMES_IN_FLIGHT === FRAMES_IN_FLIGHT - 1) await peer.drained();
        }
        if (frames.length === BATCH) subscription.behind = true;
      }
    } catch (error) {
      this.#log.warn({ err: error, session_id: sessionId }, 'updating a socket failed');
      // It would stay behind in silence; closed, it comes back and asks again.
      peer.close(1011, 'try again');
    } finally {
      subscription.catchingUp = false;
    }
  }

  /** Neither replaced by a newer one, nor ended, nor of a peer that is going. */
  #isLive(subscription: Subscription): boolean {
    const { peer, sessionId } = subscription;
    return peer.isOpen && this.#byPeer.get(peer)?.get(sessionId) === subscription;
  }

  /**
   * All who lack the same share one query: when two messages are told in the wrong order, that is every subscriber. It
   * is shared only by those who ask before it is on its way, so it holds all that they were told of.
   */
  #framesAfter(siteId: number, sessionId: string, afterSeq: number): Promise<ReadyFrame[]> {
    const key = `${keyOf(siteId, sessionId)}:${afterSeq}`;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const loading = this.#feed
      .messagesAfter(siteId, sessionId, afterSeq, BATCH)
      .then((messages) =>
        messages.map((message) => ({ seq: message.seq, frame: frameOf(sessionId, message) })),
      );
    this.#asked.set(key, loading);
    process.nextTick(() => this.#asked.delete(key));
    return loading;
  }

  /** At most one load of a chat at a time: while one is under way, further changes are one more. */
  #session(siteId: number, sessionId: string): void {
    const key = keyOf(siteId, sessionId);
    if (this.#loading.has(key)) this.#loading.set(key, true);
    else void this.#loadSession(siteId, sessionId, key);
  }

  async #loadSession(siteId: number, sessionId: string, key: string): Promise<void> {
    this.#loading.set(key, false);
    try {
      do {
        this.#loading.set(key, false);
        const session = await this.#feed.session(siteId, sessionId);
        if (session) this.#sendSession(siteId, session);
        else this.toAgents(siteId, { type: 'session_gone', session_id: sessionId });
      } while (this.#loading.get(key));
    } catch (error) {
      this.#log.warn({ err: error, session_id: sessionId }, 'sending a chat change failed');
    } finally {
      this.#loading.delete(key);
    }
  }

  #sendSession(siteId: number, { visitorId, deviceId, forVisitor, forAgents }: SessionFeed): void {
    this.toAgents(siteId, { type: 'session_changed', session: forAgents });
    const peers = new Set([
      ...(this.#visitors.get(deviceKey(siteId, deviceId)) ?? []),
      ...(this.#visitors.get(personKey(siteId, visitorId)) ?? []),
    ]);
    for (const peer of peers) peer.send({ type: 'session', session: forVisitor });
  }

  #visitorsHere(siteId: number): void {
    if (!this.#agents.has(siteId) || this.#here.has(siteId)) return;
    this.#here.add(siteId);
    setTimeout(() => {
      this.#here.delete(siteId);
      this.toAgents(siteId, { type: 'visitors_here_changed' });
    }, HERE_TOLD_AFTER_MS);
  }

  #ticket(siteId: number, ticketId: number): void {
    if (!this.#agents.has(siteId)) return;
    const known = this.#tickets.get(siteId);
    if (known) {
      known.add(ticketId);
      return;
    }
    this.#tickets.set(siteId, new Set([ticketId]));
    setTimeout(() => void this.#tellTickets(siteId), TICKETS_TOLD_AFTER_MS);
  }

  async #tellTickets(siteId: number): Promise<void> {
    const ids = [...(this.#tickets.get(siteId) ?? [])];
    this.#tickets.delete(siteId);
    try {
      for (let from = 0; from < ids.length; from += TICKETS_PER_FRAME) {
        const some = ids.slice(from, from + TICKETS_PER_FRAME);
        const tickets = await this.#feed.tickets(siteId, some);
        const gone = some.filter((id) => !tickets.some((ticket) => ticket.id === id));
        this.toAgents(siteId, { type: 'tickets_changed', tickets, gone });
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'sending ticket changes failed');
      this.toAgents(siteId, { type: 'tickets_stale' });
    }
  }

  async #notified(siteId: number, ids: readonly number[]): Promise<void> {
    const peers = this.#agents.get(siteId);
    if (!peers) return;
    try {
      for (const { agentId, ...news } of await this.#feed.notifications(siteId, ids))
        for (const peer of peers)
          if (peer.actor.kind === 'agent' && peer.actor.agentId === agentId)
            peer.send({ type: 'notified', ...news });
    } catch (error) {
      this.#log.warn({ err: error }, 'notifying agents failed');
    }
  }

  async #note(siteId: number, sessionId: string, noteId: number): Promise<void> {
    try {
      const note = await this.#feed.note(siteId, noteId);
      if (note)
        this.pass(
          siteId,
          sessionId,
          { type: 'note', session_id: sessionId, note },
          ({ actor }) => actor.kind === 'agent',
        );
    } catch (error) {
      this.#log.warn({ err: error }, 'sending a note failed');
    }
  }
}

function addTo<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

function removeFrom<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  set?.delete(value);
  if (set?.size === 0) map.delete(key);
}
