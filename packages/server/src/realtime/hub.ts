import type { Message, Note, ServerFrame, Session, TicketSummary, VisitorSession } from '@foyer/protocol';
import type { Logger } from 'pino';
import type { Notice } from '../core/domain-event.ts';
import type { FollowedSites } from './followed-sites.ts';
import type { TypingFrame } from './notices.ts';
import type { Peer } from './peer.ts';
import { RecentChats } from './recent-chats.ts';

/** A chat as the hub delivers it: to its visitor's sockets and to the site's agents. */
interface SessionFeed {
  visitorId: number;
  deviceId: number | null;
  forVisitor: VisitorSession;
  forAgents: Session;
}

/** The hub's queries. It knows no domain. */
export interface Feed {
  messagesAfter(siteId: number, sessionId: string, afterSeq: number, limit: number): Promise<Message[]>;
  /** The redacted messages of a chat up to `upTo`, in order. */
  redactedUpTo(siteId: number, sessionId: string, upTo: number): Promise<Message[]>;
  session(siteId: number, sessionId: string): Promise<SessionFeed | undefined>;
  note(siteId: number, noteId: number): Promise<Note | undefined>;
  /** The given tickets that exist. */
  tickets(siteId: number, ids: readonly number[]): Promise<TicketSummary[]>;
  /** What the agents' desks need of these notifications. */
  notifications(siteId: number, ids: readonly number[]): Promise<NotificationNews[]>;
  /** The ids of a site's chats changed since then; the newest if there are many. */
  changedSince(siteId: number, since: Date): Promise<string[]>;
}

interface NotificationNews extends Omit<Extract<ServerFrame, { type: 'notified' }>, 'type'> {
  agentId: number;
}

interface Subscription {
  peer: Peer;
  siteId: number;
  sessionId: string;
  /** The last message sent. */
  seq: number;
  catchingUp: boolean;
  behind: boolean;
  /** Messages that it has may have been redacted since. */
  stale: boolean;
}

/** Changed tickets are collected for this long: a bulk change makes hundreds at once. */
const TICKETS_TOLD_AFTER_MS = 20;
const TICKETS_PER_FRAME = 100;
/** How often desks are asked to reload the live visitors, however many come and go. */
const HERE_TOLD_AFTER_MS = 1_000;

const BATCH = 200;
/** Even the longest messages, this many of them, stay below the limit of unsent data per client. */
const FRAMES_IN_FLIGHT = 40;
/** Clocks of nodes differ, and transactions running when the connection broke started earlier. */
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

/**
 * A visitor's socket gets its browser's chats, and the person's other chats only with a verified identity. A guest
 * has none.
 */
function ownKeys(siteId: number, actor: Extract<Peer['actor'], { kind: 'visitor' }>): string[] {
  if (actor.guest) return [guestKey(siteId, actor.guest.tokenHash.toString('base64url'))];
  const device = deviceKey(siteId, actor.deviceId);
  return actor.verified ? [device, personKey(siteId, actor.visitorId)] : [device];
}

/**
 * Delivers every change to the sockets that need it. A subscriber that is up to date gets a new message at once;
 * any other first gets the missing ones from the database, so each message arrives once and in order.
 */
export class Hub {
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  readonly #byPeer = new Map<Peer, Map<string, Subscription>>();
  readonly #agents = new Map<number, Set<Peer>>();
  readonly #visitors = new Map<string, Set<Peer>>();
  /** Chats whose summary is being loaded; true if it changed again meanwhile. */
  readonly #loading = new Map<string, boolean>();
  /** Running queries, by chat and `seq`. */
  readonly #asked = new Map<string, Promise<ReadyFrame[]>>();
  /** Changed tickets to be sent soon, by site. */
  readonly #tickets = new Map<number, Set<number>>();
  /** Sites whose agents will soon be notified of changed live visitors. */
  readonly #here = new Set<number>();
  readonly #recent = new RecentChats();
  readonly #feed: Feed;
  readonly #followed: FollowedSites;
  readonly #log: Logger;

  constructor(feed: Feed, followed: FollowedSites, log: Logger) {
    this.#feed = feed;
    this.#followed = followed;
    this.#log = log;
  }

  add(peer: Peer): void {
    this.#byPeer.set(peer, new Map());
    this.#followed.add(peer.site.id);
    if (peer.actor.kind === 'agent') addTo(this.#agents, peer.site.id, peer);
    else for (const key of ownKeys(peer.site.id, peer.actor)) addTo(this.#visitors, key, peer);
  }

  remove(peer: Peer): void {
    for (const subscription of this.#byPeer.get(peer)?.values() ?? []) {
      removeFrom(this.#subscriptions, keyOf(subscription.siteId, subscription.sessionId), subscription);
    }
    if (this.#byPeer.delete(peer)) this.#followed.remove(peer.site.id);
    if (peer.actor.kind === 'agent') removeFrom(this.#agents, peer.site.id, peer);
    else for (const key of ownKeys(peer.site.id, peer.actor)) removeFrom(this.#visitors, key, peer);
  }

  get peers(): Iterable<Peer> {
    return this.#byPeer.keys();
  }

  /** Whether a desk of the site is connected to this process. */
  hasAgents(siteId: number): boolean {
    return this.#agents.has(siteId);
  }

  /** The caller has checked that this peer may read this chat. Subscribing again restarts at the new `afterSeq`. */
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
      stale: afterSeq > 0,
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
      // Agents' lists show the last message. A visitor's socket has everything it needs in the message itself.
      if (this.#agents.has(siteId)) this.#listed(siteId, notice);
    } else if (notice.kind === 'session') {
      this.#recent.changed(keyOf(siteId, notice.sessionId));
      this.#session(siteId, notice.sessionId);
    } else if (notice.kind === 'redacted')
      this.#redacted(this.#subscriptions.get(keyOf(siteId, notice.sessionId)));
    else if (notice.kind === 'ticket') this.#ticket(siteId, notice.ticketId);
    else if (notice.kind === 'draft') this.#draft(siteId, notice);
    else if (notice.kind === 'notified') void this.#notified(siteId, notice);
    else if (notice.kind === 'device') this.#recorded(siteId, notice);
    else if (notice.kind === 'note') void this.#note(siteId, notice.sessionId, notice.noteId);
    else if (notice.kind === 'visitors_here') this.#visitorsHere(siteId);
    else if (notice.kind === 'lists') this.toAgents(siteId, { type: 'lists_stale' });
    else if (notice.kind === 'views') this.#views(siteId, notice.agentId);
    else if (notice.kind === 'suspended') this.toAgents(siteId, { type: 'suspended_changed' });
    else if (notice.kind === 'agents') this.toAgents(siteId, { type: 'team_changed' });
  }

  /** Subscribers get redacted messages again, and what they lack. */
  #redacted(subscriptions: Iterable<Subscription> = []): void {
    for (const subscription of subscriptions) {
      subscription.stale = true;
      void this.#catchUp(subscription);
    }
  }

  /** Handled before the notices about the guest's message, so that its connections get those. */
  #recorded(siteId: number, { token, visitorId, deviceId }: Extract<Notice, { kind: 'device' }>): void {
    for (const peer of [...(this.#visitors.get(guestKey(siteId, token)) ?? [])]) {
      if (peer.actor.kind !== 'visitor') continue;
      const { guest: _, ...actor } = peer.actor;
      for (const key of ownKeys(siteId, peer.actor)) removeFrom(this.#visitors, key, peer);
      peer.become({ ...actor, visitorId, deviceId });
      for (const key of ownKeys(siteId, peer.actor)) addTo(this.#visitors, key, peer);
    }
  }

  /** Only to the agent's own sockets. */
  #draft(siteId: number, notice: Extract<Notice, { kind: 'draft' }>): void {
    const { agentId, sessionId: session_id, ticketId: ticket_id, draftKind: kind, version } = notice;
    this.toAgent(siteId, agentId, { type: 'draft_changed', session_id, ticket_id, kind, version });
  }

  /** Private views concern only their agent. */
  #views(siteId: number, agentId: number | null): void {
    if (agentId === null) this.toAgents(siteId, { type: 'views_changed' });
    else this.toAgent(siteId, agentId, { type: 'views_changed' });
  }

  /** Live visitors may have changed on any site. */
  visitorsHereChanged(): void {
    for (const siteId of this.#agents.keys()) this.toAgents(siteId, { type: 'visitors_here_changed' });
  }

  /** Changes may have been missed: subscribers get missing messages, and lists get all changed chats. */
  catchUpAll(since: Date): void {
    for (const subscriptions of this.#subscriptions.values()) this.#redacted(subscriptions);
    const sites = new Set([...this.#byPeer.keys()].map((peer) => peer.site.id));
    for (const siteId of sites) this.toAgents(siteId, { type: 'tickets_stale' });
    this.visitorsHereChanged();
    for (const siteId of sites) void this.#catchUpLists(siteId, new Date(since.getTime() - GAP_MARGIN_MS));
  }

  async #catchUpLists(siteId: number, since: Date): Promise<void> {
    try {
      for (const sessionId of await this.#feed.changedSince(siteId, since)) this.#session(siteId, sessionId);
    } catch (error) {
      this.#log.warn({ err: error }, 'updating lists failed');
      // Like for a chat: a reconnecting client loads everything.
      for (const peer of this.#agents.get(siteId) ?? []) peer.close(1011, 'try again');
    }
  }

  /** Sends a passing state, such as typing, to the chat's subscribers. Never stored. */
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

  /** Sends who is typing to everyone else in the chat; the unsent text of a visitor only to agents. */
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
        if (subscription.stale) await this.#sendRedacted(subscription);
        const frames = await this.#framesAfter(siteId, sessionId, subscription.seq);
        for (const [index, { seq, frame }] of frames.entries()) {
          if (!this.#isLive(subscription)) return;
          subscription.seq = seq;
          peer.sendRaw(frame);
          // As fast as the client reads.
          if (index % FRAMES_IN_FLIGHT === FRAMES_IN_FLIGHT - 1) await peer.drained();
        }
        if (frames.length === BATCH) subscription.behind = true;
      }
    } catch (error) {
      this.#log.warn({ err: error, session_id: sessionId }, 'updating a socket failed');
      // It would silently fall behind. After reconnecting, it catches up.
      peer.close(1011, 'try again');
    } finally {
      subscription.catchingUp = false;
    }
  }

  async #sendRedacted(subscription: Subscription): Promise<void> {
    subscription.stale = false;
    const { peer, siteId, sessionId, seq } = subscription;
    for (const message of await this.#feed.redactedUpTo(siteId, sessionId, seq))
      if (this.#isLive(subscription)) peer.sendRaw(frameOf(sessionId, message));
  }

  /** Whether it was neither replaced nor ended, and its peer isn't closing. */
  #isLive(subscription: Subscription): boolean {
    const { peer, sessionId } = subscription;
    return peer.isOpen && this.#byPeer.get(peer)?.get(sessionId) === subscription;
  }

  /**
   * Subscribers that lack the same messages share one query: if two messages are announced in the wrong order, that is
   * all of them. Only subscribers that ask before the query starts share it, so its result contains everything that was
   * announced to them.
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

  /** Sends the chat as it came with its message, unless a later change is known. */
  #listed(siteId: number, { sessionId, session }: Extract<Notice, { kind: 'message' }>): void {
    const key = keyOf(siteId, sessionId);
    const use = session && !this.#loading.has(key) ? this.#recent.useOf(key, session.last_seq) : 'load';
    if (use === 'load' || !session) this.#session(siteId, sessionId);
    else if (use === 'send') {
      this.#recent.sent(key, session.last_seq);
      this.toAgents(siteId, { type: 'session_changed', session });
    }
  }

  /** At most one load per chat at a time. All changes during a load cause one more. */
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
    if (this.#agents.has(siteId)) this.#recent.sent(keyOf(siteId, forAgents.session_id), forAgents.last_seq);
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

  async #notified(siteId: number, { ids, agentIds }: Extract<Notice, { kind: 'notified' }>): Promise<void> {
    const isTheirs = ({ actor }: Peer): boolean =>
      actor.kind === 'agent' && (agentIds?.includes(actor.agentId) ?? true);
    const peers = [...(this.#agents.get(siteId) ?? [])].filter(isTheirs);
    if (peers.length === 0) return;
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
