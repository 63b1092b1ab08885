import { z } from 'zod';
import type { ErrorBody } from '../errors.ts';
import type { Notification, NotificationTelling } from '../sites/notifications.ts';
import type { OfficeHours } from '../sites/office-hours.ts';
import { TYPING_PREVIEW_MAX, URL_MAX, VISITOR_TOKEN_MAX } from '../values/bounds.ts';
import type { Language } from '../values/languages.ts';
import { POLL_FRAMES_MAX, SOCKET_FRAME_MAX_BYTES } from '../values/socket-line.ts';
import { type agentFace, agentRef, id, sessionId, text, visitorKey } from '../values.ts';
import { attributes } from '../visitors/visitors.ts';
import type { Message, Note, Session, VisitorSession } from './conversations.ts';
import type { TicketSummary } from './inbox.ts';
import type { PreChatField } from './pre-chat.ts';
import type { Survey } from './survey.ts';
import type { UploadLimits } from './uploads.ts';
import type { WidgetLook } from './widget-look.ts';
import type { DraftKind } from './writing.ts';

const callId = z.int().min(0);

const pageText = text(0, URL_MAX).optional();
/** `referrer`: of the page that the browser has loaded; a page that only shows another address keeps it. */
const shownPage = { page_url: pageText, page_title: pageText, referrer: pageText };

export const helloFrame = z.strictObject({
  type: z.literal('hello'),
  /** From an earlier `welcome`: proves that this browser is that visitor. */
  token: z.string().max(VISITOR_TOKEN_MAX).optional(),
  key: visitorKey.optional(),
  /** Hex HMAC-SHA256 of the key with the site's identity secret: proves who the visitor is. */
  user_hash: z.string().max(128).optional(),
  attributes: attributes.optional(),
  ...shownPage,
  locale: text(0, 35).optional(),
  time_zone: text(0, 64).optional(),
});
export type HelloFrame = z.infer<typeof helloFrame>;

export const clientFrame = z.discriminatedUnion('type', [
  helloFrame,
  /** Runs an operation; answered by one `result` or `error` with the same id, after its commit. */
  z.strictObject({ type: z.literal('call'), id: callId, op: z.string().max(60), input: z.unknown() }),
  /** All messages of a chat after `after_seq`, each once, in order, then the new ones as they come. */
  z.strictObject({
    type: z.literal('subscribe'),
    id: callId,
    session_id: sessionId,
    after_seq: z.int().min(0),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), session_id: sessionId }),
  /** Never stored. `text` is the end of a visitor's unsent text; an agent's is not passed on. */
  z.strictObject({
    type: z.literal('typing'),
    session_id: sessionId,
    typing: z.boolean(),
    text: z.string().max(TYPING_PREVIEW_MAX).optional(),
  }),
  /** From an agent's desk: nobody has touched it for a while, or somebody has again. */
  z.strictObject({ type: z.literal('idle'), idle: z.boolean() }),
  /** From a visitor: another page is shown, without a new line for it. */
  z.strictObject({ type: z.literal('page'), ...shownPage }),
  /** From an agent's desk: which chat or ticket is open there, and whether a reply is being written; neither: none. */
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
 * Body of `POST /widget/poll?site=PUBLIC_KEY`, for a visitor whose network lets no socket through. `frames` are the
 * socket's, as text; the first request has `poll: null` and the `hello`. With `wait` the answer holds what there is for
 * the client, or what comes within `POLL_HOLD_MS`.
 */
export const pollRequest = z.strictObject({
  poll: z.string().max(40).nullable(),
  frames: z.array(z.string().max(SOCKET_FRAME_MAX_BYTES)).max(POLL_FRAMES_MAX),
  wait: z.boolean(),
});

export interface PollAnswer {
  poll: string;
  frames: string[];
  /** The line has ended, with the code that a socket would be closed with. */
  closed: { code: number; reason: string } | null;
}

/** What the widget is told of its site. */
export interface WidgetSite {
  name: string;
  look: WidgetLook;
  greeting: string;
  email_offer_after_s: number;
  sound: boolean;
  /** Agents see what visitors have not sent yet. */
  typing_preview: boolean;
  /** For a visitor whose own languages the site does not speak. */
  language: Language;
  /** Empty: all that the widget has. */
  languages: Language[];
  /** How long half of those who asked for a person lately waited for one; null where there is too little to say so. */
  reply_time_s: number | null;
  /** It has published articles. */
  has_articles: boolean;
  starters: { id: number; label: string; prompt: string }[];
  uploads: UploadLimits;
  /** What is asked after a chat. */
  survey: Survey;
}

/** Of the team so many are shown at the door. */
export const TEAM_FACES_MAX = 3;
export type TeamFace = z.infer<typeof agentFace>;

/** Of the holidays a visitor is told those of so many days. */
export const HOLIDAYS_TOLD_DAYS = 31;

/** Whether and how somebody of the team can be reached, as visitors are told it. */
export interface Availability {
  /** Somebody is at the desk. */
  agents_online: boolean;
  /** Some of those who are there. */
  team: TeamFace[];
  /** It is within the office hours, or the site has set none. */
  open: boolean;
  /** Null while it is open, and where it does not open within a year. */
  next_opening_utc: string | null;
  /** With the holidays that are near; null: none are set. */
  hours: OfficeHours | null;
  /** The site can send mail, so that an answer can reach who has left. */
  mails: boolean;
}

/** Of a chat or ticket so many are told who view it. */
export const VIEWERS_MAX = 20;

/** An agent who has a chat or ticket open. */
export const viewer = z.object({ ...agentRef.shape, replying: z.boolean() });
export type Viewer = z.infer<typeof viewer>;

export type ServerFrame =
  | ({
      type: 'welcome';
      /** To be kept and sent in the next `hello`. */
      token: string;
      visitor: { key: string; name: string | null; email: string | null; verified: boolean };
      site: WidgetSite;
      /** To be asked before this visitor's first chat. */
      pre_chat: PreChatField[];
      /** This visitor's chats, newest first, at most 20. */
      sessions: VisitorSession[];
    } & Availability)
  /** An agent's greeting. */
  | { type: 'ready'; agent_id: number; online_agent_ids: number[]; away_agent_ids: number[] }
  | { type: 'result'; id: number; data: unknown }
  /** Without an id when the frame could not be read; the connection stays. */
  | { type: 'error'; id?: number; error: ErrorBody }
  /** To a visitor: one of their chats changed. */
  | { type: 'session'; session: VisitorSession }
  /** To an agent: any chat of the site was made or changed. */
  | { type: 'session_changed'; session: Session }
  /** To an agent: a chat was deleted. */
  | { type: 'session_gone'; session_id: string }
  /** To subscribers of the chat, in order of `seq`, without gaps. */
  | { type: 'message'; session_id: string; message: Message }
  /** To an agent: tickets of the site that were made or changed, and the ids of those that were deleted. */
  | { type: 'tickets_changed'; tickets: TicketSummary[]; gone: number[] }
  /** To an agent: changes of tickets may have been missed. */
  | { type: 'tickets_stale' }
  /** To an agent: an import or a change of many has ended; whatever is shown may be another. */
  | { type: 'lists_stale' }
  /** To an agent: views of the team, or of their own, were created, changed or deleted. */
  | { type: 'views_changed' }
  /** To an agent: somebody joined or left the team, was invited, or has another role, name or limit. */
  | { type: 'team_changed' }
  /** To an agent: another version of a draft of theirs is saved; null, there is none any more. */
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
      /** To agents only: the end of what the visitor has written and not sent. */
      text?: string | undefined;
    }
  /**
   * To subscribers of the chat: what the bot has written so far of an answer that is not stored yet. Its message
   * replaces it; an empty text takes it back.
   */
  | { type: 'answering'; session_id: string; text: string }
  /**
   * To a visitor: somebody or nobody of the team is there, the office opens or closes, its hours are others, or whether
   * the site can send mail.
   */
  | ({ type: 'availability' } & Availability)
  /** To an agent: who of the team is at the desk, and who has it open but is away. */
  | { type: 'presence'; online_agent_ids: number[]; away_agent_ids: number[] }
  /** To an agent alone: of something there is news, or it was seen or is over. `unseen`: of all, now. */
  | { type: 'notified'; notification: Notification; telling: NotificationTelling; unseen: number }
  /** To an agent: somebody came to the site, went on to another page or left. */
  | { type: 'visitors_here_changed' }
  /** To an agent who has this chat or ticket open: who else of the team has, themselves among them. Never stored. */
  | { type: 'viewers'; session_id: string | null; ticket_id: number | null; viewers: Viewer[] }
  | { type: 'pong' };
