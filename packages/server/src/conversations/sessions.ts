import { randomBytes } from 'node:crypto';
import type {
  FieldValues,
  HandoffReason,
  Language,
  Sender,
  Session,
  SessionStatus,
  TeamRef,
  VisitorSession,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { SlaState } from '../db/column-types.ts';
import type { Db } from '../db/database.ts';
import { constant, prepared } from '../db/prepared.ts';
import { fieldsOf } from '../sites/fields/stored-values.ts';
import { picturePath } from '../sites/pictures.ts';
import { teamOf } from '../sites/teams/assignable.ts';
import { presentSla } from '../sla/present.ts';
import { deviceOf } from '../visitors/identity/own-visitor.ts';
import { nameOfMarker, presentSpam, type SpamColumns } from './spam/mark.ts';

/** 128 random bits, so that a chat's id can't be guessed. */
export const newSessionId = (): string => `ses_${randomBytes(16).toString('base64url')}`;

/** A chat with what its lists and panels show of its visitor, agent, handoff and rating. */
export interface SessionRow extends SpamColumns {
  id: number;
  session_id: string;
  status: SessionStatus;
  visitor_id: number;
  device_id: number | null;
  verified: boolean;
  agent_id: number | null;
  agent_name: string | null;
  agent_picture: string | null;
  last_seq: number;
  visitor_read_seq: number;
  agent_read_seq: number;
  marked_unread_at: Date | null;
  bot_seq: number;
  bot_misses: number;
  language: Language | null;
  page_url: string | null;
  contact_email: string | null;
  ticket_id: number | null;
  last_sender: Sender | null;
  last_text: string | null;
  last_message_at: Date | null;
  /** Sender of the last message by the visitor, the bot or an agent; null if there is none. */
  said_sender: Sender | null;
  said_text: string | null;
  said_at: Date | null;
  /** Since when the visitor has been waiting for an answer; null if they aren't. */
  unanswered_since: Date | null;
  /** What the chat is about, in the visitor's words. */
  about: string | null;
  waiting_since: Date | null;
  closes_at: Date | null;
  snoozed_until: Date | null;
  started_at: Date;
  ended_at: Date | null;
  visitor_key: string | null;
  visitor_name: string | null;
  visitor_email: string | null;
  tags: string[];
  team: TeamRef | null;
  /** By key, without those of archived fields. */
  fields: FieldValues;
  rating: number | null;
  rating_requested_at: Date | null;
  handoff_reason: HandoffReason | null;
  handoff_summary: string | null;
  handoff_at: Date | null;
  sla: SlaState | null;
  sla_due_at: Date | null;
}

/** The columns read of the chat's own row. */
const CHAT_COLUMNS = [
  'id',
  'session_id',
  'status',
  'visitor_id',
  'device_id',
  'verified',
  'agent_id',
  'last_seq',
  'visitor_read_seq',
  'agent_read_seq',
  'marked_unread_at',
  'bot_seq',
  'bot_misses',
  'language',
  'page_url',
  'contact_email',
  'ticket_id',
  'team_id',
  'last_sender',
  'last_text',
  'last_message_at',
  'waiting_since',
  'closes_at',
  'snoozed_until',
  'spam_at',
  'spam_by',
  'spam_reason',
  'started_at',
  'ended_at',
  'said_sender',
  'said_text',
  'said_at',
  'unanswered_since',
  'rating_requested_at',
  'about',
] as const;

/** Columns of a chat `c`. */
const columnsOf = (names: readonly string[]): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `c.${name}`).join(', '));

/** The columns read of a chat `c`. */
const sessionColumns = constant(sql`
    ${columnsOf(CHAT_COLUMNS)}, a.name as agent_name, a.picture as agent_picture,
      case when v.erased_at is null then v.key end as visitor_key, v.name as visitor_name, v.email as visitor_email,
      ${nameOfMarker(sql`c`)},
      array(
        select t.name from conversation_tags ct join tags t on t.site_id = ct.site_id and t.id = ct.tag_id
        where ct.site_id = c.site_id and ct.conversation_id = c.id order by lower(t.name)
      ) as tags,
      ${teamOf(sql`c`)} as team,
      ${fieldsOf('chats', sql`c`)} as fields,
      f.rating, h.reason as handoff_reason, concat_ws(E'\\n', h.summary, h.visitor_line) as handoff_summary, h.created_at as handoff_at,
      s.sla, s.due_at as sla_due_at`);
const sessionTables = constant(sql`
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join agents a on a.site_id = c.site_id and a.id = c.agent_id
    left join feedback f on f.site_id = c.site_id and f.conversation_id = c.id
    left join chat_slas s on s.site_id = c.site_id and s.conversation_id = c.id
    left join lateral (
      select reason, summary, visitor_line, created_at from handoffs
      where site_id = c.site_id and conversation_id = c.id order by id desc limit 1
    ) h on true`);

/** What `changedSession` needs of a chat `c`. */
export const chatColumns = columnsOf([...CHAT_COLUMNS, 'site_id']);

/**
 * A scalar query for a chat that a statement has just changed, a row of its part `chat` with `chatColumns`: JSON for
 * `readSession`.
 */
export const changedSession = constant(
  sql<StoredSession | null>`(
      select to_jsonb(found) from (
        select ${sessionColumns} from (select chat.*) c ${sessionTables}
      ) found
    )`,
);

/** A row that went through JSON. */
type StoredSession = {
  [K in keyof SessionRow]: Date extends SessionRow[K] ? string | Exclude<SessionRow[K], Date> : SessionRow[K];
};

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));

/** The chat that `changedSession` has read. */
export const readSession = (stored: StoredSession): SessionRow => ({
  ...stored,
  marked_unread_at: dateOf(stored.marked_unread_at),
  last_message_at: dateOf(stored.last_message_at),
  said_at: dateOf(stored.said_at),
  unanswered_since: dateOf(stored.unanswered_since),
  waiting_since: dateOf(stored.waiting_since),
  rating_requested_at: dateOf(stored.rating_requested_at),
  closes_at: dateOf(stored.closes_at),
  snoozed_until: dateOf(stored.snoozed_until),
  spam_at: dateOf(stored.spam_at),
  started_at: new Date(stored.started_at),
  ended_at: dateOf(stored.ended_at),
  handoff_at: dateOf(stored.handoff_at),
  sla_due_at: dateOf(stored.sla_due_at),
});

/**
 * The only loader of chats. `tail` is everything after `where site_id = … and`.
 * @param mark `prepared` for a tail that runs often
 */
export async function loadSessions(
  db: Db,
  siteId: number,
  tail: RawBuilder<unknown>,
  mark: RawBuilder<unknown> = sql``,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`${mark}
    select ${sessionColumns} from conversations c ${sessionTables}
    where c.site_id = ${siteId} and ${tail}`.execute(db);
  return rows;
}

/** Undefined for an unknown id and another site's. Checks no actor: use `getSession` for a caller's request. */
export async function findSession(
  db: Db,
  siteId: number,
  sessionId: string,
): Promise<SessionRow | undefined> {
  // Prepared, because it runs after every message.
  const [row] = await loadSessions(db, siteId, sql`c.session_id = ${sessionId}`, prepared);
  return row;
}

/** @throws AppError 404, also for another site's chat and, for a visitor, another visitor's */
export async function getSession(ctx: SiteContext, sessionId: string): Promise<SessionRow> {
  const [row] = await loadSessions(
    ctx.db,
    ctx.site.id,
    sql`c.session_id = ${sessionId} and ${readableBy(ctx)}`,
    prepared,
  );
  if (!row) throw notFound('chat');
  return row;
}

/**
 * Locks the chat's row for the rest of the transaction, so that decisions based on it stay valid.
 * @throws AppError 404
 */
export async function lockSession(ctx: SiteContext, sessionId: string): Promise<SessionRow> {
  await ctx.db
    .selectFrom('conversations')
    .select('id')
    .where('site_id', '=', ctx.site.id)
    .where('session_id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst();
  return getSession(ctx, sessionId);
}

/**
 * The condition for chats (as `c`) that the actor may read. Visitors may read those of this browser, and those of
 * their other browsers only with a verified identity.
 */
export function readableBy({ actor, site }: SiteContext): RawBuilder<boolean> {
  if (actor.kind !== 'visitor') return sql`true`;
  const { visitorId, verified } = actor;
  const here = sql<boolean>`c.device_id = ${deviceOf(site.id, actor)}`;
  return verified ? sql`(${here} or c.visitor_id = ${visitorId}::bigint)` : here;
}

/** The same for statements that are given visitors as rows (`given`): what such a row has, beside `site`. */
export const GIVEN_READER = { browser_id: 'bigint', browser_token: 'bytea', reader_id: 'bigint' } as const;

/** Who reads, for these columns. */
export function givenReader({ actor }: SiteContext): { [C in keyof typeof GIVEN_READER]?: unknown } {
  if (actor.kind !== 'visitor') return {};
  const { visitorId, verified, deviceId, guest } = actor;
  return {
    reader_id: verified ? visitorId : null,
    ...(guest ? { browser_token: `\\x${guest.tokenHash.toString('hex')}` } : { browser_id: deviceId }),
  };
}

/** The condition for chats that the given visitor may read. */
export const isReadersOwn = constant(
  sql<boolean>`(c.device_id = coalesce(given.browser_id, (
      select d.id from visitor_devices d where d.site_id = given.site and d.token_hash = given.browser_token))
    or c.visitor_id = given.reader_id)`,
);

/**
 * The name to address visitor `v` of chat `c` by, as a column: in a chat without a verified identity, only the name
 * that its browser `d` gave; without a chat, as for a ticket created by the team, the known name.
 */
export const nameForVisitor = sql<string | null>`
  case when c.id is null or c.verified then v.name else d.reported_attributes ->> 'name' end`;

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const agentOf = ({ agent_id: id, agent_name: name, agent_picture: picture }: SessionRow) =>
  id === null ? null : { id, name: name ?? '', picture_url: picturePath(picture) };

/** The visitor in events and logs; all null after an erasure. */
export const visitorOf = (row: Pick<SessionRow, 'visitor_key' | 'visitor_name' | 'visitor_email'>) => ({
  key: row.visitor_key,
  name: row.visitor_name,
  email: row.visitor_email,
});

const lastSaidOf = ({ said_sender, said_text, said_at }: SessionRow): VisitorSession['last_message'] =>
  said_sender === null || said_at === null
    ? null
    : { sender: said_sender, text: said_text ?? '', created_utc: said_at.toISOString() };

/**
 * Includes system messages, which the widget shows in the visitor's language, except the one that a chat has ended.
 */
const lastMessageOf = (row: SessionRow): VisitorSession['last_message'] => {
  const { status, last_sender, last_text, last_message_at } = row;
  if (last_sender === null || last_message_at === null) return null;
  const created_utc = last_message_at.toISOString();
  const said = status === 'closed' ? lastSaidOf(row) : null;
  return { ...(said ?? { sender: last_sender, text: last_text ?? '' }), created_utc };
};

/** What a visitor may see of their chat: no tags, no handoff, no ticket. */
export function presentVisitorSession(row: SessionRow): VisitorSession {
  return {
    session_id: row.session_id,
    status: row.status,
    agent: agentOf(row),
    last_seq: row.last_seq,
    visitor_read_seq: row.visitor_read_seq,
    agent_read_seq: row.agent_read_seq,
    waiting_since_utc: iso(row.waiting_since),
    contact_email: row.contact_email,
    rating: row.rating,
    rating_requested: row.rating_requested_at !== null,
    last_message: lastMessageOf(row),
    started_utc: row.started_at.toISOString(),
    ended_utc: iso(row.ended_at),
  };
}

/** What the team sees of a chat: the visitor's view plus visitor, tags, ticket and handoff. */
export function presentSession(row: SessionRow): Session {
  return {
    ...presentVisitorSession(row),
    last_message: lastSaidOf(row),
    about: row.about,
    unanswered_since_utc: iso(row.unanswered_since),
    visitor: { ...visitorOf(row), id: row.visitor_id, verified: row.verified },
    tags: row.tags,
    team: row.team,
    fields: row.fields,
    page_url: row.page_url,
    ticket_id: row.ticket_id,
    closes_utc: iso(row.closes_at),
    snoozed_until_utc: iso(row.snoozed_until),
    spam: presentSpam(row),
    marked_unread: row.marked_unread_at !== null,
    sla: presentSla(row.sla, row.sla_due_at),
    handoff:
      row.handoff_reason === null || row.handoff_at === null
        ? null
        : {
            reason: row.handoff_reason,
            summary: row.handoff_summary ?? '',
            created_utc: row.handoff_at.toISOString(),
          },
  };
}
