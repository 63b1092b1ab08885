import { z } from 'zod';
import { note, sessionStatus } from '../chat/conversations.ts';
import { ticketStatus } from '../tickets/tickets.ts';
import { VISITOR_NOTE_MAX } from '../values/bounds.ts';
import {
  agentRef,
  clientId,
  deleted,
  done,
  email,
  id,
  page,
  paging,
  sessionId,
  text,
  utc,
  visitorKey,
  visitorName,
} from '../values.ts';
import { listedVisitor } from './visitor-desk.ts';
import { attributes, visitor } from './visitors.ts';

export const PROFILE_DEVICES_MAX = 10;

/** A browser by what it reported; null for what it didn't. */
const visitorDevice = z.object({
  id,
  user_agent: z.string().nullable(),
  language: z.string().nullable(),
  time_zone: z.string().nullable(),
  first_seen_utc: utc,
  last_seen_utc: utc,
});
export type VisitorDevice = z.infer<typeof visitorDevice>;

/** A page that a visitor has open. */
const openPage = z.object({
  page_url: z.string(),
  page_title: z.string().nullable(),
  referrer: z.string().nullable(),
  /** When this page was opened, and when the visit began. */
  page_since_utc: utc,
  since_utc: utc,
});

/** A visitor as an agent who opens the profile sees it. */
/** What a visitor agreed to before their first chat. */
export const visitorConsent = z.object({
  id,
  wording: z.string(),
  language: z.string(),
  /** Whether the visitor had proven who they are. */
  verified: z.boolean(),
  agreed_utc: utc,
});
export type VisitorConsent = z.infer<typeof visitorConsent>;

export const visitorProfile = listedVisitor.extend({
  id,
  /** Fields that no page may change, because the site's server, a proof or an agent set them. */
  vouched: z.array(z.enum(['email', 'name'])),
  blocked_by: agentRef.nullable(),
  /** The newest, at most `PROFILE_DEVICES_MAX`. */
  devices: z.array(visitorDevice),
  /** The newest first, at most `PROFILE_CONSENTS_MAX`. */
  consents: z.array(visitorConsent),
  /** Null: not on the site now. */
  here: openPage.nullable(),
});
export type VisitorProfile = z.infer<typeof visitorProfile>;

export const visitorNote = note.omit({ mentions: true }).extend({ edited_utc: utc.nullable() });
export type VisitorNote = z.infer<typeof visitorNote>;

export const TIMELINE_KINDS = ['event', 'page', 'chat', 'ticket', 'note'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

const entry = { id, at_utc: utc };
/** An entry of a visitor's history. */
export const timelineEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    ...entry,
    name: z.string(),
    properties: z.record(z.string(), z.json()),
  }),
  z.object({
    kind: z.literal('page'),
    ...entry,
    page_url: z.string(),
    page_title: z.string().nullable(),
    referrer: z.string().nullable(),
    /** Null: still open. */
    left_utc: utc.nullable(),
  }),
  z.object({
    kind: z.literal('chat'),
    ...entry,
    session_id: sessionId,
    status: sessionStatus,
    last_text: z.string(),
    agent: agentRef.nullable(),
  }),
  z.object({ kind: z.literal('ticket'), ...entry, subject: z.string(), status: ticketStatus }),
  z.object({ kind: z.literal('note'), ...entry, note: visitorNote }),
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** A visitor with an open page of the site. */
export const visitorHere = openPage.extend({
  visitor: z.object({ key: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
  /** False for a guest who has said nothing yet: there is no profile to open. */
  recorded: z.boolean(),
  verified: z.boolean(),
  blocked: z.boolean(),
  user_agent: z.string().nullable(),
  /** The number of open pages, one per tab. */
  tabs: z.int(),
  /** Pages of this visit; null if only the chat reports them. */
  pages: z.int().nullable(),
  /** From the browser's time zone, in ISO 3166-1; null if the zone has no country. */
  country: z.string().nullable(),
  /** The chat is loaded in the page, so an agent's message arrives there. */
  has_chat: z.boolean(),
  /** The visitor's open chat. */
  chat: z.object({ session_id: sessionId, status: sessionStatus, agent: agentRef.nullable() }).nullable(),
});
export type VisitorHere = z.infer<typeof visitorHere>;

const ofVisitor = z.strictObject({ key: visitorKey });
const noteText = text(1, VISITOR_NOTE_MAX);

/** What agents see and do in one visitor's profile. */
export const visitorProfileContract = {
  'visitors.open': { input: ofVisitor, output: visitorProfile },
  /** Newest first; events, pages, chats, tickets and notes, or one kind of them. */
  'visitors.timeline': {
    input: z.strictObject({ ...paging, key: visitorKey, kind: z.enum(TIMELINE_KINDS).optional() }),
    output: page(timelineEntry),
  },
  /** Absent leaves a field unchanged, null clears it; attributes are merged with existing ones. */
  'visitors.update': {
    input: z.strictObject({
      key: visitorKey,
      email: email.nullable().optional(),
      name: visitorName.nullable().optional(),
      attributes: attributes.optional(),
    }),
    output: visitor,
  },
  /** Moves everything of `key` to `into_key`. Can't be undone. */
  'visitors.merge': { input: z.strictObject({ key: visitorKey, into_key: visitorKey }), output: visitor },
  /** Also closes their open chats. */
  'visitors.block': { input: ofVisitor, output: done },
  'visitors.unblock': { input: ofVisitor, output: done },
  'visitor_notes.create': {
    input: z.strictObject({ key: visitorKey, client_id: clientId, text: noteText }),
    output: visitorNote,
  },
  /** The agent's own. An admin can delete anybody's. */
  'visitor_notes.update': { input: z.strictObject({ id, text: noteText }), output: visitorNote },
  'visitor_notes.delete': { input: z.strictObject({ id }), output: deleted },
  /** All data about one visitor, as JSON in parts; `after`: the `next` of the previous part. */
  'visitor_data.export': {
    input: z.strictObject({ key: visitorKey, after: paging.cursor }),
    output: z.object({ text: z.string(), next: z.string().nullable() }),
  },
  /** The visitors on the site now, at most `HERE_LISTED_MAX`, the most recently opened page first. */
  'visitors.here': { input: z.strictObject({ ...paging }), output: page(visitorHere) },
  'visitors.count_here': { input: z.strictObject({}), output: z.object({ count: z.int() }) },
} as const;
