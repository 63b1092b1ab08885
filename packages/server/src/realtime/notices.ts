import {
  draftKind,
  type Message,
  type ServerFrame,
  type Session,
  TYPING_PREVIEW_MAX,
  VIEWERS_MAX,
  viewer,
} from '@foyer/protocol';
import { z } from 'zod';
import { isForEveryone } from '../core/changes.ts';
import type { PassingFrame } from '../core/context.ts';
import type { Notice } from '../core/domain-event.ts';
import type { LiveNotice } from '../visitors/live/board.ts';
import { WATCHED_MS } from '../visitors/live/watching.ts';
import { channelOfPages, channelOfSite, type State } from './bus/bus.ts';
import { PRESENCE_EXPIRY_MS, type PresenceNotice } from './presence.ts';
import { VIEWING_EXPIRY_MS, type ViewingNotice } from './viewing.ts';

/** The messages between the processes of an installation. */
export type BusMessage =
  /** `part` names the notice in the outbox, if it is there; `form` is that of the records in it. */
  | { site: number; notice: Notice; part?: string | undefined; form?: number | undefined }
  | { site: number; passing: PassingFrame }
  | PresenceNotice
  | ViewingNotice
  | LiveNotice
  | { ended: string };

/**
 * The form of the records in messages. Records of another version aren't understood: their receiver reads them from the
 * database. A test says when to increase it.
 */
export const RECORD_FORM = 8;

export type TypingFrame = Extract<ServerFrame, { type: 'typing' }>;

const id = z.int().positive();
const sessionId = z.string();
const notice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    sessionId,
    seq: id,
    record: z.custom<Message>().optional(),
    session: z.custom<Session>().optional(),
  }),
  z.object({ kind: z.literal('session'), sessionId }),
  z.object({ kind: z.literal('redacted'), sessionId }),
  z.object({ kind: z.literal('note'), sessionId, noteId: id }),
  z.object({ kind: z.literal('ticket'), ticketId: id }),
  z.object({
    kind: z.literal('draft'),
    agentId: id,
    sessionId: sessionId.nullable(),
    ticketId: id.nullable(),
    draftKind,
    version: id.nullable(),
  }),
  z.object({ kind: z.literal('views'), agentId: id.nullable() }),
  z.object({ kind: z.literal('visitor'), visitorId: id }),
  z.object({ kind: z.literal('device'), token: z.string(), visitorId: id, deviceId: id }),
  z.object({ kind: z.literal('notified'), ids: z.array(id), agentIds: z.array(id).optional() }),
  z.object({ kind: z.literal('signed_out'), userId: z.string() }),
  ...(['deliveries', 'tokens', 'site', 'agents', 'lists', 'suspended', 'visitors_here'] as const).map(
    (kind) => z.object({ kind: z.literal(kind) }),
  ),
]);
const typing = z.object({
  type: z.literal('typing'),
  session_id: sessionId,
  from: z.enum(['visitor', 'agent', 'bot']),
  name: z.string().nullable(),
  typing: z.boolean(),
  text: z.string().max(TYPING_PREVIEW_MAX).optional(),
});
const agents = z.record(z.string(), z.array(id));
const answering = z.object({ type: z.literal('answering'), session_id: sessionId, text: z.string() });
const openTab = z.object({
  tab: z.string(),
  key: z.string(),
  url: z.string(),
  title: z.string().nullable(),
  referrer: z.string().nullable(),
  country: z.string().nullable(),
  userAgent: z.string().nullable(),
  cameAt: z.number(),
  openedAt: z.number(),
  pages: z.number(),
});
const message = z.union([
  z.object({ site: id, notice, part: z.string().optional(), form: z.number().optional() }),
  z.object({ site: id, passing: z.discriminatedUnion('type', [typing, answering]) }),
  z.object({ presence: z.object({ node: z.string(), online: agents, away: agents }) }),
  z.object({
    viewing: z.object({
      node: z.string(),
      places: z.array(
        z.object({
          site: id,
          session_id: sessionId.nullable(),
          ticket_id: id.nullable(),
          viewers: z.array(viewer).max(VIEWERS_MAX),
        }),
      ),
    }),
  }),
  z.object({ watching: z.object({ node: z.string(), site: id, all: z.boolean() }) }),
  z.object({
    tabs: z.object({
      node: z.string(),
      site: id,
      count: z.number(),
      open: z.array(openTab),
      gone: z.array(z.string()),
    }),
  }),
  z.object({ call: z.object({ node: z.string(), site: id, key: z.string() }) }),
  z.object({ left: z.object({ node: z.string(), tabs: z.array(z.tuple([id, z.string()])) }) }),
  z.object({ ended: z.string() }),
]);

/** Undefined for a message of another version of this program. Records of another form are dropped. */
export function readBusMessage(raw: unknown): BusMessage | undefined {
  const read: BusMessage | undefined = message.safeParse(raw).data;
  if (!read || !('notice' in read) || read.form === RECORD_FORM) return read;
  return { ...read, notice: withoutRecords(read.notice) };
}

/** Undefined for a notice of another version of this program. */
export const readNotice = (raw: unknown): Notice | undefined => notice.safeParse(raw).data;

/** The channel whose followers need a message; undefined if every process does. */
export function channelOf(message: BusMessage): number | undefined {
  if ('notice' in message) return isForEveryone(message.notice) ? undefined : channelOfSite(message.site);
  if ('passing' in message) return channelOfSite(message.site);
  if ('tabs' in message) return channelOfSite(message.tabs.site);
  if ('left' in message) {
    const [[siteId] = []] = message.left.tabs;
    return siteId && channelOfPages(siteId);
  }
  if ('call' in message) return channelOfPages(message.call.site);
  return undefined;
}

/** The state in a message, valid until it is repeated, and for how long at most; undefined if it reports an event. */
export function statesOf(message: BusMessage): { states: State[]; forMs: number } | undefined {
  if ('presence' in message) {
    const { node, online, away } = message.presence;
    const states = Object.keys(online).map((site) => ({
      channel: channelOfSite(Number(site)),
      name: 'presence',
      message: {
        presence: { node, online: { [site]: online[site] ?? [] }, away: { [site]: away[site] ?? [] } },
      },
    }));
    return states.length > 0 ? { states, forMs: PRESENCE_EXPIRY_MS } : undefined;
  }
  if ('viewing' in message) {
    const { node, places } = message.viewing;
    const states = places.map((place) => ({
      channel: channelOfSite(place.site),
      name: `viewing:${place.session_id ?? place.ticket_id}`,
      message: { viewing: { node, places: [place] } },
    }));
    return { states, forMs: VIEWING_EXPIRY_MS };
  }
  if (!('watching' in message)) return undefined;
  const state = { channel: channelOfPages(message.watching.site), name: 'watching', message };
  return { states: [state], forMs: WATCHED_MS };
}

/** A notice that only says what changed. */
const withoutRecords = (notice: Notice): Notice =>
  notice.kind === 'message' ? { kind: 'message', sessionId: notice.sessionId, seq: notice.seq } : notice;

/** A notice for other processes, with the records that they would otherwise read, and without. */
export function forBus(
  siteId: number,
  notice: Notice,
  part: string | undefined,
): { full: BusMessage; short: BusMessage } {
  const named = { site: siteId, ...(part === undefined ? {} : { part }) };
  const short = { ...named, notice: withoutRecords(notice) };
  return { full: notice.kind === 'message' ? { ...named, notice, form: RECORD_FORM } : short, short };
}
