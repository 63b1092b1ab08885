import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../packages/server/src/db/database.ts';

/** The number of days: those of a report, and as many before. */
const DAYS = 180;
const AGENTS = 10;
const TAGS = 30;
const VISITORS = 1_000;

const numbers = (count: number): RawBuilder<unknown> => sql`generate_series(1, ${count}::int) n`;

/**
 * Chats with messages of the bot and of agents, six in ten handed off, a fifth rated and half tagged. Two thirds are
 * between 8 and 18 o'clock. Waits have a realistic distribution: most short, some very long.
 */
export async function fillChats(db: Db, siteId: number, chats: number): Promise<void> {
  const site = sql`${siteId}::bigint`;
  const fill = async (statement: RawBuilder<unknown>): Promise<void> => void (await statement.execute(db));
  await fill(sql`select setseed(0.5)`);
  await fill(sql`
    with people as (
      insert into auth_users (id, name, email)
      select 'report-' || ${site} || '-' || n, 'Agent ' || n, 'report-' || ${site} || '-' || n || '@example.com'
      from ${numbers(AGENTS)} returning id, name
    ) insert into agents (site_id, user_id, role, name) select ${site}, id, 'agent', name from people`);
  await fill(
    sql`insert into tags (site_id, name, color) select ${site}, 'tag ' || n, '#0f766e' from ${numbers(TAGS)}`,
  );
  await fill(
    sql`insert into visitors (site_id, key) select ${site}, 'report_' || n from ${numbers(VISITORS)}`,
  );
  await fill(sql`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, agent_id, last_seq, started_at, ended_at)
    select ${site}, 'ses_' || lpad(n::text, 22, 'R'), v.first + n % ${VISITORS}, gen_random_uuid(), 'closed',
      case when n % 10 < 6 then a.first + n % ${AGENTS} end, 3, at, at + (60 * exp(random() * 5)) * interval '1 s'
    from ${numbers(chats)},
      (select min(id) as first from visitors where site_id = ${site}) v,
      (select min(id) as first from agents where site_id = ${site} and user_id like 'report-%') a,
      lateral (
        select date_trunc('day', now()) - floor(random() * ${DAYS} + n * 0) * interval '1 day'
          + (case when n % 3 < 2 then 8 + random() * 10 else random() * 24 end) * interval '1 h' as at
      ) t`);
  const own = sql`conversations c where c.site_id = ${site} and c.session_id like 'ses_RRRR%'`;
  await fill(sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, text, created_at)
    select site_id, id, 1, gen_random_uuid(), 'visitor', 'Hello', started_at from ${own}`);
  await fill(sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, text, created_at)
    select site_id, id, 2, gen_random_uuid(), 'bot', 'It takes three days.', started_at + interval '2 s' from ${own}`);
  await fill(sql`
    insert into handoffs (site_id, conversation_id, reason, summary, agent_id, created_at)
    select site_id, id, case when id % 3 = 0 then 'no_answer' else 'visitor_request' end, 'Asked', agent_id, started_at
    from ${own} and c.agent_id is not null`);
  await fill(sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, agent_id, text, created_at)
    select site_id, id, 3, gen_random_uuid(), 'agent', agent_id, 'Hello', started_at + (5 * exp(random() * 6)) * interval '1 s'
    from ${own} and c.agent_id is not null`);
  await fill(sql`
    insert into feedback (site_id, conversation_id, rating, comment, agent_id, created_at)
    select site_id, id, 5 - floor(power(random(), 2) * 5), case when id % 2 = 0 then 'That was quick' end, agent_id, ended_at
    from ${own} and c.id % 5 = 0`);
  await fill(sql`
    insert into conversation_tags (site_id, conversation_id, tag_id)
    select c.site_id, c.id, t.first + floor(power((c.id % 97) / 97.0, 2) * ${TAGS})
    from conversations c, (select min(id) as first from tags where site_id = ${site} and name like 'tag %') t
    where c.site_id = ${site} and c.session_id like 'ses_RRRR%' and c.id % 2 = 0`);
  await fill(sql`
    update report_sites set chats_below = (select max(id) + 1 from conversations where site_id = ${site})
    where site_id = ${site}`);
  await fill(sql`
    insert into report_sites (site_id, time_zone, chats_below)
    select ${site}, 'Europe/Berlin', max(id) + 1 from conversations where site_id = ${site} on conflict do nothing`);
  await fill(sql`vacuum (analyze) conversations, messages, handoffs, feedback, conversation_tags`);
}
