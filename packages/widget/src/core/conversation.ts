import type {
  Availability,
  Message,
  PreChatQuestion,
  ServerFrame,
  TeamFace,
  VisitorSession,
  WidgetSite,
} from '@foyer/protocol';
import type { Line } from './connection.ts';
import type { OutboxEntry } from './outbox.ts';
import type { DraftFile } from './uploads.ts';

/** Typing dots expire, in case the frame that ends them was lost. */
const TYPING_MAX_MS = 12_000;

/** How many places one can go back. */
const TRAIL_MAX = 20;

type Elsewhere =
  | { name: 'home' }
  | { name: 'chats' }
  | { name: 'help'; query: string }
  | { name: 'article'; slug: string };

export type Place = Elsewhere | { name: 'chat'; chat: string };

/**
 * `chat` is a session id, or an id of our own (`new:…`) until the first message has created a session. `openedAs`
 * is the id at the time of opening: it stays the same, and so do the text and focus.
 */
export type View = Elsewhere | { name: 'chat'; chat: string; openedAs: string };

export interface Typing {
  from: 'agent' | 'bot';
  name: string | null;
  /** The text so far, if it is known. */
  text: string;
  until: number;
}

export interface ConversationState {
  line: Line;
  site: WidgetSite | null;
  visitorKey: string | null;
  /** The visitor's email address, if their identity is verified. */
  ownEmail: string | null;
  agentsOnline: boolean;
  /** Some of the agents who are online. */
  team: TeamFace[];
  /** When the office opens next; null while it is open, or if that is unknown. */
  nextOpening: string | null;
  /** Whether the site can send email. */
  mails: boolean;
  sessions: Record<string, VisitorSession>;
  /** By session, in order of `seq`. */
  messages: Record<string, Message[]>;
  pending: OutboxEntry[];
  /** Pending messages would be lost with this page, because the browser blocks storage. */
  isFleeting: boolean;
  /** By chat: chosen files that aren't sent yet. */
  files: Record<string, DraftFile[]>;
  /** By session: the visitor's last message that reached an online agent. */
  delivered: Record<string, number>;
  /** Increases when another tab has changed an unsent text. */
  draftsChanged: number;
  typing: Record<string, Typing>;
  view: View;
  /** The places on the way here, the latest last. */
  trail: View[];
  /** The site's questions before a first chat. */
  preChat: PreChatQuestion[];
  /** Those of them that are asked before each chat. */
  ofChats: PreChatQuestion[];
  isOpen: boolean;
}

export type ConversationEvent =
  | Extract<ServerFrame, { type: 'welcome' | 'session' | 'message' | 'availability' }>
  | (Extract<ServerFrame, { type: 'typing' | 'answering' }> & { now: number })
  | { type: 'line'; line: Line }
  | { type: 'pending'; entries: OutboxEntry[]; isFleeting: boolean }
  | { type: 'files'; chat: string; files: DraftFile[] }
  /** What was written into `chat` is in this session. */
  | { type: 'moved'; chat: string; session_id: string }
  /** Another tab has changed an unsent text. */
  | { type: 'drafts' }
  | { type: 'read'; session_id: string; seq: number }
  /** `replaces`: the current place has changed, such as its search text. */
  | { type: 'view'; view: Place; replaces?: boolean }
  | { type: 'back' }
  | { type: 'introduced' }
  | { type: 'email'; email: string }
  | { type: 'panel'; isOpen: boolean }
  | { type: 'tick'; now: number }
  | { type: 'forget' };

export const initialState: ConversationState = {
  line: 'idle',
  site: null,
  visitorKey: null,
  ownEmail: null,
  agentsOnline: false,
  team: [],
  nextOpening: null,
  mails: false,
  sessions: {},
  messages: {},
  pending: [],
  isFleeting: false,
  files: {},
  delivered: {},
  draftsChanged: 0,
  typing: {},
  view: { name: 'home' },
  trail: [],
  preChat: [],
  ofChats: [],
  isOpen: false,
};

export const reduce = (state: ConversationState, event: ConversationEvent): ConversationState =>
  withDelivered(step(state, event), state);

const step = (state: ConversationState, event: ConversationEvent): ConversationState => {
  switch (event.type) {
    case 'welcome':
      return greeted(state, event);
    case 'session':
      return {
        ...state,
        sessions: { ...state.sessions, [event.session.session_id]: newer(state, event.session) },
        typing: event.session.status === 'bot' ? state.typing : withoutBot(state.typing, event.session),
      };
    case 'message':
      return received(state, event.session_id, event.message);
    case 'typing':
      return { ...state, typing: typingAfter(state, event) };
    case 'answering':
      return { ...state, typing: answeringAfter(state, event) };
    case 'availability':
      return { ...state, ...availabilityOf(event) };
    case 'line':
      return { ...state, line: event.line };
    case 'pending':
      return { ...state, pending: event.entries, isFleeting: event.isFleeting };
    case 'files':
      return { ...state, files: { ...state.files, [event.chat]: event.files } };
    case 'moved':
      return moved(state, event.chat, event.session_id);
    case 'drafts':
      return { ...state, draftsChanged: state.draftsChanged + 1 };
    case 'read':
      return patchSession(state, event.session_id, (session) => ({
        ...session,
        visitor_read_seq: Math.max(session.visitor_read_seq, event.seq),
      }));
    case 'view':
      return {
        ...state,
        view: event.view.name === 'chat' ? { ...event.view, openedAs: event.view.chat } : event.view,
        trail: event.replaces ? state.trail : trailTo(state, event.view),
      };
    case 'back':
      return { ...state, view: state.trail.at(-1) ?? { name: 'home' }, trail: state.trail.slice(0, -1) };
    case 'introduced':
      return { ...state, preChat: [] };
    case 'email':
      return { ...state, ownEmail: event.email };
    case 'panel':
      return { ...state, isOpen: event.isOpen };
    case 'tick':
      return { ...state, typing: withoutOld(state.typing, event.now) };
    case 'forget':
      return { ...initialState, line: state.line, site: state.site, isOpen: state.isOpen };
  }
};

type Welcome = Extract<ConversationEvent, { type: 'welcome' }>;

const greeted = (state: ConversationState, event: Welcome): ConversationState => {
  const isSame = state.visitorKey === null || state.visitorKey === event.visitor.key;
  const listed = Object.fromEntries(
    event.sessions.map((session) => [session.session_id, newer(state, session)]),
  );
  // A visitor who became known keeps the chat on the screen, which is among the sessions of the welcome.
  const kept = isSame ? state.sessions : {};
  const sessions = { ...kept, ...listed };
  const messages = Object.fromEntries(Object.entries(state.messages).filter(([id]) => id in sessions));
  const isThere = (view: View) => view.name !== 'chat' || !isSession(view.chat) || view.chat in sessions;
  return {
    ...state,
    site: event.site,
    visitorKey: event.visitor.key,
    ownEmail: ownEmailOf(event.visitor),
    ...availabilityOf(event),
    sessions,
    messages,
    typing: {},
    preChat: event.pre_chat,
    ofChats: event.pre_chat.filter((field) => 'of' in field && field.of === 'chats'),
    view: isThere(state.view) ? state.view : { name: 'home' },
    trail: isThere(state.view) ? state.trail.filter(isThere) : [],
  };
};

const availabilityOf = ({
  agents_online: agentsOnline,
  team,
  next_opening_utc: nextOpening,
  mails,
}: Availability) => ({
  agentsOnline,
  team,
  nextOpening,
  mails,
});

/** An unverified identity has no address. */
const ownEmailOf = ({ key, email, verified }: Welcome['visitor']): string | null =>
  verified || key.startsWith('anon_') ? email : null;

/** A frame that was sent before we marked something as read must not undo that. */
const newer = (state: ConversationState, session: VisitorSession): VisitorSession => {
  const known = state.sessions[session.session_id];
  if (!known) return session;
  return { ...session, visitor_read_seq: Math.max(known.visitor_read_seq, session.visitor_read_seq) };
};

const received = (state: ConversationState, sessionId: string, message: Message): ConversationState => {
  const known = state.messages[sessionId] ?? [];
  const before = known.find((other) => other.seq === message.seq);
  // A message only changes when something in it is redacted.
  if (before?.text === message.text && before.attachments.length === message.attachments.length) return state;
  const messages = [...known.filter((other) => other !== before), message];
  if (message.seq < (known.at(-1)?.seq ?? 0)) messages.sort((one, other) => one.seq - other.seq);
  const entry = state.pending.find((other) => other.client_id === message.client_id);
  const { [sessionId]: typing, ...others } = state.typing;
  const next: ConversationState = {
    ...state,
    messages: { ...state.messages, [sessionId]: messages },
    pending: state.pending.filter((other) => other !== entry),
    // The author of the new message has stopped typing.
    typing: typing && typing.from !== message.sender ? state.typing : others,
  };
  return entry && entry.chat !== sessionId ? moved(next, entry.chat, sessionId) : next;
};

const moved = (state: ConversationState, chat: string, sessionId: string): ConversationState => {
  const follow = (view: View): View =>
    view.name === 'chat' && view.chat === chat ? { ...view, chat: sessionId } : view;
  return {
    ...state,
    preChat: state.ofChats,
    pending: state.pending.map((entry) => (entry.chat === chat ? { ...entry, chat: sessionId } : entry)),
    view: follow(state.view),
    trail: state.trail.map(follow),
  };
};

/** Home is where every path begins. Returning to a place makes a circle, which isn't a way back. */
const trailTo = ({ view, trail }: ConversationState, place: Place): View[] => {
  if (place.name === 'home') return [];
  const way = [...trail, view];
  const met = way.findIndex((known) => isSamePlace(known, place));
  return (met < 0 ? way : way.slice(0, met)).slice(-TRAIL_MAX);
};

const isSamePlace = (view: View, place: Place): boolean => {
  if (view.name === 'chat') return place.name === 'chat' && view.chat === place.chat;
  if (view.name === 'article') return place.name === 'article' && view.slug === place.slug;
  return view.name === place.name;
};

/**
 * The server delivers a chat with people to every online agent: then the visitor's messages count as delivered,
 * even after the agents leave.
 */
const withDelivered = (state: ConversationState, before: ConversationState): ConversationState => {
  const { sessions, messages, agentsOnline } = state;
  const isSame =
    sessions === before.sessions && messages === before.messages && agentsOnline === before.agentsOnline;
  if (isSame || !agentsOnline) return state;
  const news: Record<string, number> = {};
  for (const { session_id: id, status } of Object.values(sessions)) {
    const seq = lastSeq(state, id);
    if ((status === 'waiting' || status === 'active') && seq > (state.delivered[id] ?? 0)) news[id] = seq;
  }
  return Object.keys(news).length > 0 ? { ...state, delivered: { ...state.delivered, ...news } } : state;
};

type TypingEvent = Extract<ConversationEvent, { type: 'typing' }>;

const typingAfter = (state: ConversationState, event: TypingEvent): ConversationState['typing'] => {
  const { [event.session_id]: _, ...others } = state.typing;
  if (!event.typing || event.from === 'visitor') return others;
  const typing: Typing = { from: event.from, name: event.name, text: '', until: event.now + TYPING_MAX_MS };
  return { ...others, [event.session_id]: typing };
};

type AnsweringEvent = Extract<ConversationEvent, { type: 'answering' }>;

const answeringAfter = (state: ConversationState, event: AnsweringEvent): ConversationState['typing'] => {
  // A person was called before the answer was finished: the bot's unfinished answer is dropped.
  if ((state.sessions[event.session_id]?.status ?? 'bot') !== 'bot') return state.typing;
  const typing: Typing = { from: 'bot', name: null, text: event.text, until: event.now + TYPING_MAX_MS };
  return { ...state.typing, [event.session_id]: typing };
};

const withoutBot = (
  typing: ConversationState['typing'],
  { session_id: id }: VisitorSession,
): ConversationState['typing'] => {
  const { [id]: own, ...others } = typing;
  return own?.from === 'bot' ? others : typing;
};

const withoutOld = (typing: ConversationState['typing'], now: number): ConversationState['typing'] =>
  Object.values(typing).some((one) => one.until <= now)
    ? Object.fromEntries(Object.entries(typing).filter(([, one]) => one.until > now))
    : typing;

const patchSession = (
  state: ConversationState,
  sessionId: string,
  change: (session: VisitorSession) => VisitorSession,
): ConversationState => {
  const session = state.sessions[sessionId];
  return session ? { ...state, sessions: { ...state.sessions, [sessionId]: change(session) } } : state;
};

export const isSession = (chat: string): boolean => chat.startsWith('ses_');

/** The `seq` after which a chat's messages must be requested. */
export const lastSeq = (state: ConversationState, sessionId: string): number =>
  state.messages[sessionId]?.at(-1)?.seq ?? 0;

/** Newest first. */
export const chatsByTime = (state: ConversationState): VisitorSession[] => {
  const latest = (session: VisitorSession) => session.last_message?.created_utc ?? session.started_utc;
  return Object.values(state.sessions).sort((one, other) => (latest(one) < latest(other) ? 1 : -1));
};

/** Messages of bot and agents that the visitor hasn't seen. */
export const unreadOf = (state: ConversationState, sessionId: string): number => {
  const readSeq = state.sessions[sessionId]?.visitor_read_seq ?? 0;
  return (state.messages[sessionId] ?? []).filter(
    (message) => message.seq > readSeq && (message.sender === 'bot' || message.sender === 'agent'),
  ).length;
};

export const unreadInAll = (state: ConversationState): number =>
  Object.keys(state.sessions).reduce((sum, sessionId) => sum + unreadOf(state, sessionId), 0);
