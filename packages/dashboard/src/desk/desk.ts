import type { Me, ServerFrame, Session } from '@foyer/protocol';
import { PAGE_LIMIT_MAX } from '@foyer/protocol/values/bounds';
import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError, call, callPage, setIdle } from '../api.ts';
import { prolongSession } from '../auth.ts';
import { ChatFiles } from '../live/chat-files.ts';
import { Drafts, namedBy, placeOf } from '../live/drafts.ts';
import { Live, type LiveState } from '../live/live.ts';
import { MessageLog } from '../live/message-log.ts';
import { Outbox, type Outgoing } from '../live/outbox.ts';
import { Typing } from '../live/typing.ts';
import { Viewers } from '../live/viewers.ts';
import {
  agentsQuery,
  countsQuery,
  macrosQuery,
  mentionsQuery,
  meQuery,
  presenceQuery,
  rolesQuery,
  sessionQuery,
  suspendedQuery,
  teamsQuery,
  ticketHistoryQuery,
  ticketMentionsQuery,
  ticketQuery,
  viewsQuery,
} from '../queries.ts';
import { withSite } from '../site.ts';
import { store } from '../storage.ts';
import { watchIdle } from './idle.ts';
import { ListRefresh } from './list-refresh.ts';
import { unlockSound } from './notifications/chime.ts';
import { Notifications } from './notifications/notifications.ts';
import {
  applyNote,
  applyReply,
  applySession,
  applyTicket,
  dropTicket,
  type TicketNews,
} from './session-lists.ts';

/** How many prefetched chats are kept up to date at once. */
const AHEAD_MAX = 3;
/** How long a reply by email can be undone. */
const UNDO_REPLY_S = 10;

interface DeskOptions {
  client: QueryClient;
  me: Me;
  /** Resolves when somebody is signed in. Otherwise they are asked to sign in. */
  checkSignedIn: () => Promise<unknown>;
}

/** Everything that lives as long as an agent is signed in: the socket, the messages, the drafts. */
export class Desk {
  readonly me: Me;
  readonly log = new MessageLog();
  readonly typing = new Typing();
  readonly drafts: Drafts;
  readonly viewers: Viewers;
  readonly files = new ChatFiles();
  readonly outbox: Outbox;
  readonly live: Live;
  readonly notifications: Notifications;
  readonly #options: DeskOptions;
  readonly #listeners = new Set<() => void>();
  readonly #ahead = new Map<string, () => void>();
  readonly #lists: ListRefresh;
  #wasOnline = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.me = options.me;
    this.notifications = new Notifications(options.client);
    this.#lists = new ListRefresh(options.client);
    this.drafts = new Drafts({
      store,
      agentId: options.me.agent.id,
      list: async () => (await callPage('drafts.list', { limit: PAGE_LIMIT_MAX })).items,
      load: async (place, signal) => (await this.#watched(call('drafts.get', namedBy(place), signal))).drafts,
      save: (place, kind, { text, mentions }, base_version, signal) =>
        this.#watched(
          call(
            'drafts.save',
            { ...namedBy(place), kind, text, mentions: [...mentions], base_version },
            signal,
          ),
        ),
    });
    this.viewers = new Viewers(options.me.agent.id);
    this.outbox = new Outbox({
      store,
      agentId: options.me.agent.id,
      send: (item) => this.#watched(this.#post(item)),
    });
    this.live = new Live({
      log: this.log,
      connect: openSocket,
      onFrame: (frame) => this.#frame(frame),
      onState: (state) => this.#state(state),
    });
  }

  /** Starts; returns a function that stops it. */
  start(): () => void {
    const wake = (): void => {
      this.live.wake();
      this.outbox.flush();
    };
    const seen = (): void => {
      if (document.visibilityState === 'visible') this.live.wake();
      else this.drafts.flush();
    };
    const gone = (): void => this.live.networkGone();
    addEventListener('online', wake);
    addEventListener('offline', gone);
    addEventListener('pointerdown', unlockSound, { once: true });
    addEventListener('keydown', unlockSound, { once: true });
    document.addEventListener('visibilitychange', seen);
    const unwatch = watchIdle((idle) => {
      setIdle(idle);
      this.live.idle(idle);
    });
    const unheard = this.notifications.start();
    this.live.start();
    this.outbox.flush();
    // The next call shows whether it worked.
    prolongSession().catch(() => undefined);
    // A failure is repeated with the next start.
    import('./notifications/push.ts')
      .then(({ keepPushOn }) => keepPushOn(this.me.agent.id))
      .catch(() => undefined);
    return () => {
      removeEventListener('online', wake);
      removeEventListener('offline', gone);
      removeEventListener('pointerdown', unlockSound);
      removeEventListener('keydown', unlockSound);
      document.removeEventListener('visibilitychange', seen);
      unwatch();
      unheard();
      this.#lists.stop();
      for (const place of this.#ahead.keys()) this.#leave(place);
      this.live.stop();
      this.outbox.stop();
      this.drafts.stop();
    };
  }

  /** Continues everything that had to wait for the sign-in. */
  signedInAgain(): void {
    this.live.again();
    this.outbox.flush();
    this.drafts.online();
    void this.#options.client.invalidateQueries();
  }

  onState(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads a chat or ticket that is about to be opened. */
  fetchAhead(place: string): void {
    const { client } = this.#options;
    const named = namedBy(place);
    if ('ticket_id' in named) {
      void client.prefetchQuery(ticketQuery(named.ticket_id));
      return;
    }
    void client.prefetchQuery(sessionQuery(place));
    if (this.#ahead.has(place)) return;
    this.#ahead.set(place, this.live.subscribe(place));
    for (const oldest of this.#ahead.keys()) if (this.#ahead.size > AHEAD_MAX) this.#leave(oldest);
  }

  #leave(place: string): void {
    this.#ahead.get(place)?.();
    this.#ahead.delete(place);
  }

  /** Applies a chat's new state, from the socket or a response, to everything that shows it. */
  take(session: Session): void {
    applySession(this.#options.client, session, this.me.agent.id);
    this.#refreshSoon();
  }

  /** Like `take`, for a ticket. Components that show its messages load them again. */
  takeTicket(ticket: TicketNews): void {
    const { client } = this.#options;
    applyTicket(client, ticket, this.me.agent.id);
    void client.invalidateQueries({ queryKey: ticketQuery(ticket.id).queryKey });
    void client.invalidateQueries({ queryKey: ['ticket_chat', ticket.id] });
    void client.invalidateQueries({ queryKey: ticketHistoryQuery(ticket.id).queryKey });
    void client.invalidateQueries({ queryKey: ticketMentionsQuery(ticket.id).queryKey });
    this.#refreshTicketsSoon();
  }

  /** The chat's messages up to this one are read. Lists show it immediately. */
  markedRead(sessionId: string, seq: number): void {
    const known = this.#options.client.getQueryData(sessionQuery(sessionId).queryKey);
    if (!known || (known.agent_read_seq >= seq && !known.marked_unread)) return;
    const { feedback, notes, ...session } = known;
    const read = { agent_read_seq: Math.max(seq, known.agent_read_seq), marked_unread: false };
    applySession(this.#options.client, { ...session, ...read }, this.me.agent.id);
  }

  /** Makes background calls outside queries also report that the session has ended. */
  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized')
        this.#options.checkSignedIn().catch(() => undefined);
      throw error;
    }
  }

  async #post(item: Outgoing): Promise<void> {
    const {
      place,
      client_id,
      kind,
      text,
      files,
      status,
      closes,
      signed,
      cc,
      bcc,
      mentions = [],
      seen,
    } = item;
    const { client } = this.#options;
    const named = namedBy(place);
    const naming = mentions.length > 0 ? { mentions } : {};
    const uploads = files ? { attachments: files.map(({ upload_id }) => upload_id) } : {};
    if ('ticket_id' in named) {
      const type = kind === 'note' ? 'note' : 'public';
      const mail = type === 'note' ? {} : { signed, cc, bcc, undo_s: UNDO_REPLY_S };
      const said = { ...named, client_id, type, text, seen, ...mail, ...(status ? { status } : {}) } as const;
      applyReply(client, await call('tickets.reply', { ...said, ...uploads, ...naming }));
    } else if (kind === 'note')
      applyNote(client, place, await call('sessions.note', { ...named, client_id, text, ...naming }));
    else
      this.log.receive(place, await call('sessions.reply', { ...named, client_id, text, seen, ...uploads }));
    if (closes && 'session_id' in named) this.take(await call('sessions.close', named));
  }

  #frame(frame: ServerFrame): void {
    const { client } = this.#options;
    switch (frame.type) {
      case 'ready':
      case 'presence':
        this.#present(frame.online_agent_ids, frame.away_agent_ids);
        break;
      case 'session_changed':
        this.take(frame.session);
        if (frame.session.status === 'closed') this.typing.clear(frame.session.session_id);
        break;
      case 'notified':
        this.notifications.take(frame);
        if (frame.notification.kind === 'mention') this.#mentioned();
        break;
      case 'message':
        if (frame.message.sender !== 'system') this.typing.clear(frame.session_id);
        break;
      case 'tickets_changed':
        this.#ticketsChanged(frame);
        break;
      case 'viewers':
        this.viewers.set(placeOf(frame), frame.viewers);
        break;
      case 'draft_changed':
        this.drafts.heard(placeOf(frame), frame.kind, frame.version);
        break;
      case 'session_gone':
      case 'tickets_stale':
      case 'visitors_here_changed':
      case 'team_changed':
      case 'views_changed':
      case 'suspended_changed':
      case 'lists_stale':
        this.#askAgain(frame.type);
        break;
      case 'note':
        applyNote(client, frame.session_id, frame.note);
        if (frame.note.mentions.some(({ id, kind }) => !kind && id === this.me.agent.id)) this.#mentioned();
        break;
      case 'answering':
        this.typing.set(frame.session_id, { from: 'bot', name: null }, true);
        break;
      case 'typing':
        if (frame.from !== 'agent' || frame.name !== this.me.agent.name) {
          this.typing.set(
            frame.session_id,
            { from: frame.from, name: frame.name, text: frame.text },
            frame.typing,
          );
        }
        break;
    }
  }

  /** A frame that only says that something has changed. */
  #askAgain(
    changed:
      | 'session_gone'
      | 'tickets_stale'
      | 'visitors_here_changed'
      | 'team_changed'
      | 'views_changed'
      | 'suspended_changed'
      | 'lists_stale',
  ): void {
    const { client } = this.#options;
    switch (changed) {
      case 'session_gone':
        void client.invalidateQueries({ queryKey: ['sessions'] });
        this.#refreshSoon();
        break;
      case 'tickets_stale':
        void client.invalidateQueries({ queryKey: ['tickets'] });
        this.#refreshTicketsSoon();
        break;
      case 'visitors_here_changed':
        void client.invalidateQueries({ queryKey: ['visitors', 'here'] });
        break;
      case 'team_changed':
        this.#lists.now(agentsQuery.queryKey);
        this.#lists.now(teamsQuery.queryKey);
        this.#lists.now(rolesQuery.queryKey);
        this.#lists.now(viewsQuery.queryKey);
        this.#lists.now(macrosQuery.queryKey);
        break;
      case 'views_changed':
        this.#lists.now(viewsQuery.queryKey);
        break;
      case 'suspended_changed':
        this.#lists.now(suspendedQuery.queryKey);
        break;
      case 'lists_stale':
        void client.invalidateQueries();
    }
  }

  #ticketsChanged({ tickets, gone }: Extract<ServerFrame, { type: 'tickets_changed' }>): void {
    const { client } = this.#options;
    for (const ticket of tickets) this.takeTicket(ticket);
    for (const id of gone) {
      dropTicket(client, id);
      void client.invalidateQueries({ queryKey: ticketQuery(id).queryKey });
    }
  }

  /** Another tab of the agent's may have chosen something else. */
  #present(online: number[], away: number[]): void {
    const { client } = this.#options;
    const own = this.me.agent.id;
    const before = client.getQueryData(presenceQuery.queryKey);
    client.setQueryData(presenceQuery.queryKey, { online, away });
    if (before?.online.includes(own) !== online.includes(own))
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
  }

  #state(state: LiveState): void {
    const { client } = this.#options;
    if (state === 'signed_out') {
      this.#options.checkSignedIn().then(
        () => this.live.again(),
        () => undefined,
      );
    }
    if (state !== 'online') this.viewers.forget();
    if (state === 'online') {
      if (this.#wasOnline) void client.invalidateQueries();
      else this.#reloadEarly();
      this.#wasOnline = true;
      this.outbox.flush();
      this.drafts.online();
    }
    for (const listener of this.#listeners) listener();
  }

  /**
   * Reloads what was loaded before the socket was connected: it may have changed since without a frame. Keeps what is
   * loaded only once, such as a draft to begin with.
   */
  #reloadEarly(): void {
    const { client } = this.#options;
    const isKept = ({ observers }: Query): boolean =>
      observers.some(({ options }) => options.staleTime === Number.POSITIVE_INFINITY);
    for (const query of client.getQueryCache().findAll({ type: 'active' })) {
      if (isKept(query)) continue;
      const { queryKey, promise } = query;
      const again = (): void => void client.invalidateQueries({ queryKey, exact: true });
      Promise.resolve(promise).then(again, again);
    }
  }

  /** Agents get no notification for mentioning themselves, but the chat is in their queue of mentions. */
  #mentioned(): void {
    for (const { queryKey } of [countsQuery, mentionsQuery])
      void this.#options.client.invalidateQueries({ queryKey });
  }

  #refreshSoon(): void {
    this.#lists.soon(['sessions', 'list']);
    this.#lists.soon(mentionsQuery.queryKey);
    this.#lists.now(countsQuery.queryKey);
    this.#lists.now(viewsQuery.queryKey);
  }

  /** A bulk change reports hundreds of tickets: lists and counts are loaded once. */
  #refreshTicketsSoon(): void {
    this.#lists.soon(['tickets', 'queue']);
    this.#lists.soon(['tickets', 'list']);
    this.#lists.soon(mentionsQuery.queryKey);
    this.#lists.now(countsQuery.queryKey);
    this.#lists.now(viewsQuery.queryKey);
  }
}

function openSocket(): WebSocket {
  const url = new URL(withSite('/app/socket'), location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url);
}
