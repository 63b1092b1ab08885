import { z } from 'zod';
import { note, sessionStatus } from '../chat/conversations.ts';
import { ticketStatus } from '../tickets/tickets.ts';
import { VISITOR_NAME_MAX, VISITOR_NOTE_MAX } from '../values/bounds.ts';
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
} from '../values.ts';
import { listedVisitor } from './visitor-desk.ts';
import { attributes, visitor } from './visitors.ts';

export const PROFILE_DEVICES_MAX = 10;

/** A browser as it told of itself; null where it did not. */
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
  /** Since when it is this page, and since when the visitor is on the site. */
  page_since_utc: utc,
  since_utc: utc,
});

/** A visitor as an agent who opens it sees it. */
export const visitorProfile = listedVisitor.extend({
  id,
  /** Which of them no page may change: the site's server, a proof or an agent told them. */
  vouched: z.array(z.enum(['email', 'name'])),
  blocked_by: agentRef.nullable(),
  /** The newest, at most `PROFILE_DEVICES_MAX`. */
  devices: z.array(visitorDevice),
  /** Null: not on the site now. */
  here: openPage.nullable(),
});
export type VisitorProfile = z.infer<typeof visitorProfile>;

export const visitorNote = note.omit({ mentions: true }).extend({ edited_utc: utc.nullable() });
export type VisitorNote = z.infer<typeof visitorNote>;

export const TIMELINE_KINDS = ['event', 'page', 'chat', 'ticket', 'note'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

const entry = { id, at_utc: utc };
/** Something of a visitor's history. */
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
    /** Null: it is open. */
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

/** Somebody who has a page of the site open. */
export const visitorHere = openPage.extend({
  visitor: z.object({ key: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
  /** False for a guest who has only greeted: there is no profile to open. */
  recorded: z.boolean(),
  verified: z.boolean(),
  blocked: z.boolean(),
  user_agent: z.string().nullable(),
  /** Pages that are open, in however many tabs. */
  tabs: z.int(),
  /** Pages of this visit; null where only the chat reports them. */
  pages: z.int().nullable(),
  /** By the browser's time zone, as ISO 3166-1 has it; null where that names none. */
  country: z.string().nullable(),
  /** The chat is loaded in the page, so that an agent's message arrives there. */
  has_chat: z.boolean(),
  /** The chat that is open. */
  chat: z.object({ session_id: sessionId, status: sessionStatus, agent: agentRef.nullable() }).nullable(),
});
export type VisitorHere = z.infer<typeof visitorHere>;

const ofVisitor = z.strictObject({ key: visitorKey });
const noteText = text(1, VISITOR_NOTE_MAX);

/** What agents see and do of one visitor. */
export const visitorProfileContract = {
  'visitors.open': { input: ofVisitor, output: visitorProfile },
  /** Newest first; of events, pages, chats, tickets and notes, or of one kind. */
  'visitors.timeline': {
    input: z.strictObject({ ...paging, key: visitorKey, kind: z.enum(TIMELINE_KINDS).optional() }),
    output: page(timelineEntry),
  },
  /** Absent is unchanged, null clears; attributes are merged into those that are there. */
  'visitors.update': {
    input: z.strictObject({
      key: visitorKey,
      email: email.nullable().optional(),
      name: text(1, VISITOR_NAME_MAX).nullable().optional(),
      attributes: attributes.optional(),
    }),
    output: visitor,
  },
  /** All that the visitor of `key` has becomes that of `into_key`; nothing brings it back. */
  'visitors.merge': { input: z.strictObject({ key: visitorKey, into_key: visitorKey }), output: visitor },
  /** Ends their open chats, too. */
  'visitors.block': { input: ofVisitor, output: done },
  'visitors.unblock': { input: ofVisitor, output: done },
  'visitor_notes.create': {
    input: z.strictObject({ key: visitorKey, client_id: clientId, text: noteText }),
    output: visitorNote,
  },
  /** An agent's own; an admin deletes anybody's. */
  'visitor_notes.update': { input: z.strictObject({ id, text: noteText }), output: visitorNote },
  'visitor_notes.delete': { input: z.strictObject({ id }), output: deleted },
  /** All that is kept of one visitor, as JSON in parts; `after`: `next` of the part before. */
  'visitor_data.export': {
    input: z.strictObject({ key: visitorKey, after: paging.cursor }),
    output: z.object({ text: z.string(), next: z.string().nullable() }),
  },
  /** Who is on the site now, at most `HERE_LISTED_MAX`; who has opened a page last comes first. */
  'visitors.here': { input: z.strictObject({ ...paging }), output: page(visitorHere) },
  'visitors.count_here': { input: z.strictObject({}), output: z.object({ count: z.int() }) },
} as const;
