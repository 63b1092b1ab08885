import { z } from 'zod';
import type { ErrorBody } from '../errors.ts';
import type { Notification, NotificationTelling } from '../sites/notifications.ts';
import type { OfficeHours } from '../sites/office-hours.ts';
import { TYPING_PREVIEW_MAX, URL_MAX, VISITOR_TOKEN_MAX } from '../values/bounds.ts';
import type { Language } from '../values/languages.ts';
import { POLL_FRAMES_MAX, SOCKET_FRAME_MAX_BYTES } from '../values/socket-line.ts';
import { type agentFace, agentRef, id, sessionId, text, visitorKey } from '../values.ts';
import { attributes } from '../visitors/visitors.ts';
import { type Challenge, solvedChallenge } from './challenge.ts';
import type { Message, Note, Session, VisitorSession } from './conversations.ts';
import type { TicketSummary } from './inbox.ts';
import type { PreChatQuestion } from './pre-chat.ts';
import type { Survey } from './survey.ts';
import type { UploadLimits } from './uploads.ts';
import type { WidgetLook } from './widget-look.ts';
import type { DraftKind } from './writing.ts';

const callId = z.int().min(0);

const pageText = text(0, URL_MAX).optional();
/** `referrer`: that of the page load; it stays when only the address changes. */
const shownPage = { page_url: pageText, page_title: pageText, referrer: pageText };

export const helloFrame = z.strictObject({
  type: z.literal('hello'),
  /** From an earlier `welcome`: proves that this browser belongs to the visitor. */
  token: z.string().max(VISITOR_TOKEN_MAX).optional(),
  key: visitorKey.optional(),
  /** Hex HMAC-SHA256 of the key with the site's identity secret: proves the visitor's identity. */
  user_hash: z.string().max(128).optional(),
  attributes: attributes.optional(),
  ...shownPage,
  locale: text(0, 35).optional(),
  time_zone: text(0, 64).optional(),
  /** Whether this client solves challenges. Without it, what is over a limit is refused. */
  solves: z.boolean().optional(),
});
export type HelloFrame = z.infer<typeof helloFrame>;

export const clientFrame = z.discriminatedUnion('type', [
  helloFrame,
  /** Runs an operation. Answered after the commit by one `result` or `error` with the same id. */
  z.strictObject({ type: z.literal('call'), id: callId, op: z.string().max(60), input: z.unknown() }),
  /** All messages of a chat after `after_seq`, each once and in order, then new ones. */
  z.strictObject({
    type: z.literal('subscribe'),
    id: callId,
    session_id: sessionId,
    after_seq: z.int().min(0),
  }),
  /** Answers a `challenge`: with the id of the call that waits for it, or without one for the hello. */
  z.strictObject({ type: z.literal('solution'), id: callId.optional(), ...solvedChallenge.shape }),
  z.strictObject({ type: z.literal('unsubscribe'), session_id: sessionId }),
  /** Never stored. `text` is the end of a visitor's unsent text; an agent's isn't passed on. */
  z.strictObject({
    type: z.literal('typing'),
    session_id: sessionId,
    typing: z.boolean(),
    text: z.string().max(TYPING_PREVIEW_MAX).optional(),
  }),
  /** From an agent's desk: it has become idle or active. */
  z.strictObject({ type: z.literal('idle'), idle: z.boolean() }),
  /** From a visitor: another page is shown, over the same connection. */
  z.strictObject({ type: z.literal('page'), ...shownPage }),
  /**
   * From an agent's desk: the open chat or ticket, and whether a reply is being written. Neither id: none is open.
   */
  z.strictObject({
    type: z.literal('viewing'),
    session_id: sessionId.nullable(),
    ticket_id: id.nullable(),
    replying: z.boolean(),
  }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/**
 * Body of `POST /widget/poll?site=PUBLIC_KEY`, for a visitor whose network blocks sockets. `frames` are the
 * socket's, as text; the first request has `poll: null` and the `hello`. With `wait`, the response contains the
 * frames for the client that are waiting or arrive within `POLL_HOLD_MS`.
 */
export const pollRequest = z.strictObject({
  poll: z.string().max(40).nullable(),
  frames: z.array(z.string().max(SOCKET_FRAME_MAX_BYTES)).max(POLL_FRAMES_MAX),
  wait: z.boolean(),
});

export interface PollAnswer {
  poll: string;
  frames: string[];
  /** The line has ended, with the code with which a socket would be closed. */
  closed: { code: number; reason: string } | null;
}

/** What the widget needs to know about its site. */
export interface WidgetSite {
  name: string;
  look: WidgetLook;
  greeting: string;
  email_offer_after_s: number;
  sound: boolean;
  /** Whether agents see what visitors are typing. */
  typing_preview: boolean;
  /** For a visitor whose languages the site doesn't offer. */
  language: Language;
  /** Empty: all of the widget's. */
  languages: Language[];
  /** The recent median waiting time for a person; null if there is too little data. */
  reply_time_s: number | null;
  /** Whether it has published articles. */
  has_articles: boolean;
  starters: { id: number; label: string; prompt: string }[];
  uploads: UploadLimits;
  /** The survey after a chat. */
  survey: Survey;
}

/** How many agents the widget shows before a chat. */
export const TEAM_FACES_MAX = 3;
export type TeamFace = z.infer<typeof agentFace>;

/** How many days of holidays a visitor gets. */
export const HOLIDAYS_TOLD_DAYS = 31;

/** Whether and how the team can be reached. */
export interface Availability {
  /** Whether an agent is at the desk. */
  agents_online: boolean;
  /** Some of the agents who are there. */
  team: TeamFace[];
  /** Whether it is within the office hours, or the site has none. */
  open: boolean;
  /** Null while it is open, and if it doesn't open within a year. */
  next_opening_utc: string | null;
  /** With the coming holidays; null: there are none. */
  hours: OfficeHours | null;
  /** Whether the site can send email, so that an answer can reach a visitor who has left. */
  mails: boolean;
}

/** How many viewers of a chat or ticket are listed. */
export const VIEWERS_MAX = 20;

/** An agent who has a chat or ticket open. */
export const viewer = z.object({ ...agentRef.shape, replying: z.boolean() });
export type Viewer = z.infer<typeof viewer>;

export type ServerFrame =
  | ({
      type: 'welcome';
      /** To be stored and sent in the next `hello`. */
      token: string;
      visitor: { key: string; name: string | null; email: string | null; verified: boolean };
      site: WidgetSite;
      /** To be asked before this visitor's next chat. */
      pre_chat: PreChatQuestion[];
      /** This visitor's chats, newest first, at most 20. */
      sessions: VisitorSession[];
    } & Availability)
  /** The welcome for an agent. */
  | { type: 'ready'; agent_id: number; online_agent_ids: number[]; away_agent_ids: number[] }
  | { type: 'result'; id: number; data: unknown }
  /** Without an id if the frame couldn't be read. The connection stays. */
  | { type: 'error'; id?: number; error: ErrorBody }
  /** To a visitor who can solve it: the call with this id, or the hello, waits for the solution. */
  | { type: 'challenge'; id?: number; challenge: Challenge }
  /** To a visitor: one of their chats changed. */
  | { type: 'session'; session: VisitorSession }
  /** To an agent: a chat of the site was created or changed. */
  | { type: 'session_changed'; session: Session }
  /** To an agent: a chat was deleted. */
  | { type: 'session_gone'; session_id: string }
  /** To subscribers of the chat, in order of `seq`, without gaps. One with a known `seq` replaces it: something in it was redacted. */
  | { type: 'message'; session_id: string; message: Message }
  /** To an agent: created and changed tickets of the site, and the ids of deleted ones. */
  | { type: 'tickets_changed'; tickets: TicketSummary[]; gone: number[] }
  /** To an agent: changes of tickets may have been missed. */
  | { type: 'tickets_stale' }
  /** To an agent: an import or bulk change has ended, so everything shown may have changed. */
  | { type: 'lists_stale' }
  /** To an agent: shared views, or their private ones, were created, changed or deleted. */
  | { type: 'views_changed' }
  /** To an agent: other emails wait for a decision. */
  | { type: 'suspended_changed' }
  /** To an agent: somebody joined or left the team, was invited, or has a new role, name or limit. */
  | { type: 'team_changed' }
  /** To an agent: another version of their draft was saved; null: it was deleted. */
  | {
      type: 'draft_changed';
      session_id: string | null;
      ticket_id: number | null;
      kind: DraftKind;
      version: number | null;
    }
  /** To agents who subscribed. */
  | { type: 'note'; session_id: string; note: Note }
  | {
      type: 'typing';
      session_id: string;
      from: 'visitor' | 'agent' | 'bot';
      name: string | null;
      typing: boolean;
      /** To agents only: the end of what the visitor has typed and not sent. */
      text?: string | undefined;
    }
  /**
   * To subscribers of the chat: the unfinished text of the bot's answer. Its message replaces it; an empty text
   * removes it.
   */
  | { type: 'answering'; session_id: string; text: string }
  /**
   * To a visitor: the team became available or unavailable, the office hours began, ended or changed, or whether
   * the site can send email.
   */
  | ({ type: 'availability' } & Availability)
  /** To an agent: the agents at the desk, and those who have it open but are away. */
  | { type: 'presence'; online_agent_ids: number[]; away_agent_ids: number[] }
  /** To one agent: a notification is new, changed, seen or over. `unseen`: the number of all unseen ones. */
  | { type: 'notified'; notification: Notification; telling: NotificationTelling; unseen: number }
  /** To an agent: a visitor came to the site, changed the page or left. */
  | { type: 'visitors_here_changed' }
  /** To an agent who has this chat or ticket open: everyone who has, including themselves. Never stored. */
  | { type: 'viewers'; session_id: string | null; ticket_id: number | null; viewers: Viewer[] }
  /** The server is alive: every `SOCKET_BEAT_MS`, and in answer to `ping`. */
  | { type: 'pong' };
