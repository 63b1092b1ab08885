import type { HandoffReason, SessionStatus } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { SlaState } from '../db/column-types.ts';
import { type Calendar, secondsBetween } from './calendar.ts';
import { stepOf } from './durations.ts';
import { type Count, subjectOf } from './measures.ts';
import { slaCounts } from './sla/sla-counts.ts';

/** How many messages the bot and each agent sent in a chat on one day. */
interface Said {
  readonly agentId: number | null;
  readonly day: string;
  readonly messages: number;
  readonly askedBack: number;
  readonly unknown: number;
}

/** Everything that reports need about a chat. */
interface ChatFacts {
  readonly sessionId: string;
  readonly status: SessionStatus;
  readonly agentId: number | null;
  readonly teamId: number | null;
  readonly sla: SlaState | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly tagIds: readonly number[];
  readonly rating: { readonly rating: number; readonly agentId: number | null; readonly at: Date } | null;
  /** In order, with takeovers: nobody waits for an agent then, but they too make it an agent's chat. */
  readonly handoffs: readonly { readonly reason: HandoffReason; readonly at: Date }[];
  /** An agent's first message after the first handoff. */
  readonly answer: { readonly agentId: number | null; readonly at: Date } | null;
  readonly said: readonly Said[];
}

interface ChatRow {
  id: number;
  session_id: string;
  status: SessionStatus;
  agent_id: number | null;
  team_id: number | null;
  sla: SlaState | null;
  started_at: Date;
  ended_at: Date | null;
  tag_ids: number[];
  rating: number | null;
  rated_agent_id: number | null;
  rated_at: Date | null;
  answered_at: Date | null;
  answered_by: number | null;
}

const chatRows = async ({ db, site }: SiteContext, sessionIds: readonly string[]): Promise<ChatRow[]> => {
  const { rows } = await sql<ChatRow>`
    select c.id, c.session_id, c.status, c.agent_id, c.team_id, s.sla, c.started_at, c.ended_at,
      array(
        select t.tag_id from conversation_tags t where t.site_id = c.site_id and t.conversation_id = c.id order by t.tag_id
      ) as tag_ids,
      f.rating, f.agent_id as rated_agent_id, f.created_at as rated_at,
      answered.created_at as answered_at, answered.agent_id as answered_by
    from conversations c
    left join chat_slas s on s.site_id = c.site_id and s.conversation_id = c.id
    left join feedback f on f.site_id = c.site_id and f.conversation_id = c.id
    left join lateral (
      select created_at from handoffs h
      where h.site_id = c.site_id and h.conversation_id = c.id and h.reason <> 'agent_takeover' order by h.id limit 1
    ) called on true
    left join lateral (
      select m.created_at, m.agent_id from messages m
      where m.site_id = c.site_id and m.conversation_id = c.id and m.sender = 'agent' and m.created_at >= called.created_at
      order by m.seq limit 1
    ) answered on true
    where c.site_id = ${site.id} and c.session_id = any (${sessionIds}::text[])
      and c.spam_at is null`.execute(db);
  return rows;
};

interface SaidRow extends Said {
  conversation_id: number;
}

async function saidIn({ db, site }: SiteContext, ids: readonly number[], zone: string): Promise<SaidRow[]> {
  const { rows } = await sql<SaidRow>`
    select m.conversation_id, case when m.sender = 'agent' then m.agent_id end as "agentId",
      to_char(m.created_at at time zone ${zone}, 'YYYY-MM-DD') as day, count(*)::integer as messages,
      count(*) filter (where m.event = 'asked_back')::integer as "askedBack",
      count(*) filter (where m.event = 'not_known')::integer as unknown
    from messages m
    where m.site_id = ${site.id} and m.conversation_id = any (${ids}::bigint[]) and m.sender in ('bot', 'agent')
      and m.event is distinct from 'proactive'
    group by 1, 2, 3 order by 3`.execute(db);
  return rows;
}

interface HandoffRow {
  conversation_id: number;
  reason: HandoffReason;
  created_at: Date;
}

async function handoffsOf({ db, site }: SiteContext, ids: readonly number[]): Promise<HandoffRow[]> {
  const { rows } = await sql<HandoffRow>`
    select conversation_id, reason, created_at from handoffs
    where site_id = ${site.id} and conversation_id = any (${ids}::bigint[]) order by id`.execute(db);
  return rows;
}

/** The facts of these chats; deleted ones and spam are omitted. */
export async function readChats(
  ctx: SiteContext,
  sessionIds: readonly string[],
  { timeZone }: Calendar,
): Promise<ChatFacts[]> {
  if (sessionIds.length === 0) return [];
  const rows = await chatRows(ctx, sessionIds);
  const ids = rows.map(({ id }) => id);
  const said = Map.groupBy(await saidIn(ctx, ids, timeZone), (row) => row.conversation_id);
  const handoffs = Map.groupBy(await handoffsOf(ctx, ids), (row) => row.conversation_id);
  return rows.map((row) => ({
    sessionId: row.session_id,
    status: row.status,
    agentId: row.agent_id,
    teamId: row.team_id,
    sla: row.sla,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    tagIds: row.tag_ids,
    rating:
      row.rating === null || row.rated_at === null
        ? null
        : { rating: row.rating, agentId: row.rated_agent_id, at: row.rated_at },
    handoffs: (handoffs.get(row.id) ?? []).map(({ reason, created_at }) => ({ reason, at: created_at })),
    answer: row.answered_at === null ? null : { agentId: row.answered_by, at: row.answered_at },
    said: said.get(row.id) ?? [],
  }));
}

function waitCounts(chat: ChatFacts, calendar: Calendar): Count[] {
  const first = chat.handoffs.find(({ reason }) => reason !== 'agent_takeover');
  if (!first) return [];
  const day = calendar.dayOf(first.at);
  const { answer } = chat;
  if (!answer) return [['chat_unanswered', day, chat.status === 'closed' ? 'closed' : 'waiting', 0, 1, 0]];
  const seconds = Math.round(secondsBetween(first.at, answer.at));
  const open = calendar.openSecondsBetween(first.at, answer.at);
  return [
    ['chat_answers', day, '', stepOf(seconds), 1, seconds],
    ['agent_answers', day, subjectOf(answer.agentId), stepOf(seconds), 1, seconds],
    ...(open === null ? [] : [['chat_answers_open', day, '', stepOf(open), 1, Math.round(open)] as const]),
  ];
}

function endCounts({ handoffs: [first], endedAt, agentId }: ChatFacts, calendar: Calendar): Count[] {
  if (!first || !endedAt) return [];
  const seconds = Math.round(secondsBetween(first.at, endedAt));
  const day = calendar.dayOf(endedAt);
  return [
    ['chat_ends', day, '', stepOf(seconds), 1, seconds],
    ['agent_ends', day, subjectOf(agentId), stepOf(seconds), 1, seconds],
  ];
}

function agentCounts({ said }: ChatFacts): Count[] {
  const byAgent = Map.groupBy(
    said.filter(({ agentId }) => agentId !== null),
    ({ agentId }) => agentId,
  );
  return [...byAgent].map(([agentId, days]) => [
    'agent_chats',
    days[0]?.day ?? '',
    subjectOf(agentId),
    0,
    1,
    days.reduce((sum, { messages }) => sum + messages, 0),
  ]);
}

function botCounts({ said, handoffs }: ChatFacts, startDay: string): Count[] {
  const bots = said.filter(({ agentId }) => agentId === null);
  if (bots.length === 0) return [];
  const turns = bots.flatMap(({ day, messages, askedBack, unknown }): Count[] => [
    ['bot_turns', day, 'answered', 0, messages - askedBack - unknown, 0],
    ['bot_turns', day, 'asked_back', 0, askedBack, 0],
    ['bot_turns', day, 'unknown', 0, unknown, 0],
  ]);
  const unanswered = bots.some(({ unknown }) => unknown > 0);
  const outcome = handoffs.length > 0 ? 'handed_off' : unanswered ? 'unanswered' : 'answered';
  return [...turns.filter(([, , , , count]) => count > 0), ['bot_chats', startDay, outcome, 0, 1, 0]];
}

/** What a chat adds to the sums. */
export function countsOfChat(chat: ChatFacts, calendar: Calendar): Count[] {
  const { startedAt, status, tagIds, rating, handoffs, teamId, agentId } = chat;
  const startDay = calendar.dayOf(startedAt);
  const ratedDay = rating ? calendar.dayOf(rating.at) : '';
  return [
    ['chats', startDay, status, calendar.hourOf(startedAt), 1, 0],
    ...handoffs.map(({ reason, at }): Count => ['chat_calls', calendar.dayOf(at), reason, 0, 1, 0]),
    ...waitCounts(chat, calendar),
    ...endCounts(chat, calendar),
    ...agentCounts(chat),
    ...botCounts(chat, startDay),
    ...slaCounts(chat.sla, startDay, { teamId, assigneeId: agentId }),
    ...tagIds.map((id): Count => ['chat_tags', startDay, String(id), 0, 1, 0]),
    ...(rating
      ? [
          ['ratings', ratedDay, subjectOf(rating.agentId), rating.rating, 1, 0] as const,
          ...tagIds.map((id): Count => ['tag_ratings', ratedDay, String(id), rating.rating, 1, 0]),
        ]
      : []),
  ];
}
