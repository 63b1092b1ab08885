import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../src/core/context.ts';

/** Rows of every table that grows with use: enough that the planner chooses as it would for a million. */
export const ROWS = 20_000;
/** A list without a next page would show only half of its plans. */
const VISITOR_BUSY = 1_000;

/** The records that samples of test/plans.test.ts name. */
export interface Filled {
  ticketId: number;
  agentId: number;
  teamId: number;
  articleId: number;
  subscriptionId: number;
  actionId: number;
  sessionId: string;
  setId: number;
  /** Of one set. */
  evaluationIds: number[];
}

const insert = async ({ db }: SiteContext, statement: RawBuilder<unknown>): Promise<void> =>
  void (await statement.execute(db));

const numbers = (count: number): RawBuilder<unknown> => sql`generate_series(1, ${count}::int) n`;

/** A pseudorandom number between 0 and 1, the same in each run: plans must not depend on chance. */
const share = (salt: number): RawBuilder<unknown> => sql`(abs(hashint4(n * ${salt}::int) % 1000) / 1000.0)`;

async function fillPeople(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  await insert(
    ctx,
    sql`insert into sites (name, greeting, public_key) select 'Site', 'Hi', gen_random_uuid() from ${numbers(2_000)}`,
  );
  await insert(
    ctx,
    sql`with people as (insert into auth_users (id, name, email)
      select 'agent-' || n, 'Agent ' || n, 'agent-' || n || '@example.com' from ${numbers(20)} returning id, name)
      insert into agents (site_id, user_id, role, name) select ${site}, id, 'agent', name from people`,
  );
  await insert(
    ctx,
    sql`insert into visitors (site_id, key, email, name, attributes, first_seen_at, last_seen_at)
      select ${site}, 'user_' || n, 'visitor' || n || '@example.com', 'Visitor ' || md5(n::text), '{"plan": "pro"}',
        now() - n * interval '1 min', now() - n * interval '1 min'
      from ${numbers(ROWS)}`,
  );
  await insert(
    ctx,
    sql`insert into visitor_events (site_id, visitor_id, name, occurred_at)
      select site_id, id, 'seen', now() from visitors`,
  );
  await insert(
    ctx,
    sql`insert into segments (site_id, name, rule, filled_at)
      select ${site}, 'Segment ' || n, '{"all": [{"attribute": "plan", "op": "set"}]}', now() from ${numbers(20)}`,
  );
  await insert(
    ctx,
    sql`insert into segment_members (site_id, segment_id, visitor_id, entered_at)
      select v.site_id, s.first, v.id, now() from visitors v, (select min(id) as first from segments) s where v.id % 2 = 0`,
  );
  await insert(
    ctx,
    sql`insert into segment_deltas (site_id, segment_id, delta)
      select v.site_id, s.first + v.id % 20, 1 from visitors v, (select min(id) as first from segments) s where v.id < 4000`,
  );
}

/** One very active visitor, and the maximum of live visitors of a site. */
async function fillTimelines(ctx: SiteContext): Promise<void> {
  const busy = sql`(select id from visitors where key = 'user_7')`;
  await insert(
    ctx,
    sql`insert into visitor_events (site_id, visitor_id, name, occurred_at)
      select ${ctx.site.id}::bigint, ${busy}, 'looked', now() from ${numbers(ROWS)}`,
  );
  await insert(
    ctx,
    sql`insert into visitor_devices (site_id, visitor_id, token_hash)
      select site_id, id, decode(md5(id::text), 'hex') from visitors`,
  );
  await insert(
    ctx,
    sql`insert into visitor_pages (site_id, visitor_id, device_id, verified, url, came_at, opened_at, node, alive_at, left_at)
      select d.site_id, d.visitor_id, d.id, false, 'https://shop.example/' || n, now(), now(), 'one', now(),
        case when d.id % 20 > 0 or n < 5 then now() end
      from visitor_devices d, generate_series(1, 5) n`,
  );
  await insert(
    ctx,
    sql`insert into visitor_notes (site_id, visitor_id, client_id, agent_id, text)
      select v.site_id, case when v.id % 10 = 0 then ${busy} else v.id end, gen_random_uuid(), a.first, 'Note'
      from visitors v, (select min(id) as first from agents) a`,
  );
  await insert(
    ctx,
    sql`insert into visitor_consents (site_id, visitor_id, wording, language, verified, agreed_at)
      select site_id, id, 'I agree.', 'en', false, now() from visitors`,
  );
}

/** Sums of more days than a report shows, of several measures, some of them also by team. */
async function fillSums(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  const measures = [
    'chats',
    'tickets',
    'chat_answers',
    'chat_ends',
    'ticket_answers',
    'ratings',
    'bot_chats',
    'chat_tags',
  ];
  await insert(
    ctx,
    sql`insert into report_days (site_id, measure, day, subject, bucket, count, total)
      select ${site}, m, current_date - n, '1', b, 1, 60
      from ${numbers(1_000)}, unnest(${measures}::text[]) m, generate_series(1, 12) b`,
  );
  await insert(
    ctx,
    sql`insert into report_contributions (site_id, record, counts)
      select site_id, session_id, jsonb_build_array(
        jsonb_build_array('chats', d, status, extract(hour from started_at), 1, 0),
        jsonb_build_array('chat_answers', d, '', id % 80, 1, 60),
        jsonb_build_array('bot_turns', d, 'answered', 0, 2, 0),
        jsonb_build_array('ratings' || case when id % 50 = 0 then '@' || first else '' end, d, '', 1 + id % 5, 1, 0),
        jsonb_build_array('bot_chats', d, (array['answered', 'handed_off', 'unanswered'])[1 + id % 3], 0, 1, 0))
      from conversations, to_char(started_at, 'YYYY-MM-DD') d, (select min(id) as first from teams) m`,
  );
  await insert(
    ctx,
    sql`insert into report_days (site_id, measure, day, subject, bucket, count, total)
      select site_id, n ->> 0, (n ->> 1)::date, n ->> 2, (n ->> 3)::smallint, sum((n ->> 4)::bigint), sum((n ->> 5)::bigint)
      from report_contributions, jsonb_array_elements(counts) n group by 1, 2, 3, 4, 5`,
  );
  await insert(ctx, sql`insert into report_sites (site_id, time_zone) select id, 'Europe/Berlin' from sites`);
  await insert(
    ctx,
    sql`insert into usage_days (site_id, day) select ${site}, current_date - n from ${numbers(1_000)}`,
  );
}

/** Most chats of one visitor, so that a page by visitor has a next one. */
async function fillChats(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  await insert(
    ctx,
    sql`insert into teams (site_id, name) select ${site}, 'team ' || n from ${numbers(5_000)}`,
  );
  await insert(
    ctx,
    sql`insert into sla_policies (site_id, name, targets) values (${site}, 'Standard', '{}')`,
  );
  await insert(
    ctx,
    sql`insert into proactive_messages (site_id, name, texts, enabled_at) values (${site}, 'Pricing', '{"en": "Hi"}', now())`,
  );
  await insert(
    ctx,
    sql`insert into team_members (site_id, team_id, agent_id)
      select t.site_id, t.id, a.id from teams t, (select site_id, min(id) as id from agents group by site_id) a
      where a.site_id = t.site_id and t.id % 20 = 0`,
  );
  await insert(
    ctx,
    sql`insert into conversations (site_id, session_id, visitor_id, start_client_id, status, agent_id, last_seq,
        last_text, last_sender, last_message_at, said_at, unanswered_since, language, page_url, waiting_since, started_at, ended_at, snoozed_until, team_id)
      select ${site}, 'ses_' || lpad(n::text, 22, 'A'), v.first + n % ${VISITOR_BUSY}, gen_random_uuid(), s.status,
        case when s.status = 'active' then a.first + n % 20 end, 3, 'Text ' || n, 'visitor', now() - n * interval '1 min',
        now() - n * interval '1 min', case when s.status <> 'closed' and n % 2 = 0 then now() - n * interval '1 min' end,
        (array['en', 'de'])[1 + n % 2], 'https://shop.example/' || case when n % 50 = 0 then 'cart' else n::text end,
        case when s.status = 'waiting' then now() end, now() - n * interval '2 min',
        case when s.status = 'closed' then now() end,
        case when s.status in ('waiting', 'active') and n % 5 = 0 then now() + n * interval '1 min' end,
        case when n % 3 = 0 then m.first + n % 20 end
      from ${numbers(ROWS)}, (select min(id) as first from visitors) v, (select min(id) as first from agents) a,
        (select min(id) as first from teams) m,
        lateral (select case when n % 100 < 94 then 'closed' else (array['bot', 'waiting', 'active'])[1 + n % 3] end) s (status)`,
  );
  await insert(
    ctx,
    sql`insert into messages (site_id, conversation_id, seq, client_id, sender, text)
      select site_id, id, 1, gen_random_uuid(), 'visitor', 'Hello' from conversations`,
  );
  await insert(
    ctx,
    sql`insert into notes (site_id, conversation_id, client_id, agent_id, text)
      select c.site_id, c.id, gen_random_uuid(), a.first, 'Note' from conversations c, (select min(id) as first from agents) a`,
  );
  await insert(
    ctx,
    sql`insert into message_search_chunks (site_id, conversation_id, part, last_seq, last_note_id, entries, said_at, words)
      select site_id, id, 1, 1, 0, 1, last_message_at, array_to_tsvector(array[site_id || ':word', site_id || ':k' || id % 10,
        site_id || ':m' || id % 97, site_id || ':n' || id % 9770]) from conversations`,
  );
  await insert(
    ctx,
    sql`insert into handoffs (site_id, conversation_id, reason, summary, created_at)
      select site_id, id, 'no_answer', 'Asked', started_at from conversations`,
  );
  await insert(
    ctx,
    sql`insert into routing_decisions (site_id, conversation_id, kind, reasons, created_at)
      select site_id, id, 'nobody', '{}', started_at from conversations`,
  );
  await insert(
    ctx,
    sql`insert into feedback (site_id, conversation_id, rating, created_at)
      select site_id, id, 1 + id % 5, started_at from conversations`,
  );
  await insert(
    ctx,
    sql`insert into chat_slas (site_id, conversation_id, sla, due_at, event_at, created_at)
      select site_id, id, jsonb_build_object('resolution', jsonb_build_object('warned', id % 50 = 3, 'due', '', 'done', null, 'missed', null)),
        started_at + interval '1 day', now() + interval '1 day', started_at from conversations where status <> 'closed'`,
  );
  await insert(
    ctx,
    sql`insert into tags (site_id, name, color) select ${site}, 'tag ' || n, '#0f766e' from ${numbers(5_000)}`,
  );
  await insert(
    ctx,
    sql`insert into conversation_tags (site_id, conversation_id, tag_id)
      select c.site_id, c.id, t.first + c.id % 5000 from conversations c, (select min(id) as first from tags) t`,
  );
  await insert(
    ctx,
    sql`insert into rules (site_id, name, position, trigger, events, actions)
      select ${site}, 'rule ' || n, n, '{"on": "ticket_created"}', '{ticket_created}', '[{"type": "set_priority", "priority": "high"}]'
      from ${numbers(5_000)}`,
  );
}

async function fillTickets(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  await insert(
    ctx,
    sql`insert into tickets (site_id, subject, description, status, priority, requester_id, assignee_id, snoozed_until,
        solved_at, created_at, updated_at, last_activity_at, unanswered_since, team_id, sla, sla_due_at)
      select ${site}, 'Ticket ' || n, 'Text', s.status, (array['low', 'normal', 'high', 'urgent'])[1 + abs(hashint4(n)) % 4],
        v.first + case when n % 20 = 0 then 0 else n end, case when n % 3 > 0 then a.first + n % 20 end,
        case when s.status = 'open' and n % 5 = 0 then now() + interval '1 day' end,
        case when s.status in ('solved', 'closed') then now() end, now() - (${ROWS} - n) * interval '1 min',
        now() - (${ROWS} - n) * ${share(7)} * interval '1 min', now() - (${ROWS} - n) * ${share(13)} * interval '1 min',
        case when n % 3 = 0 then now() - (${ROWS} - n) * interval '1 min' end,
        case when n % 3 = 1 then m.first + n % 20 end,
        jsonb_build_object('resolution', jsonb_build_object('warned', n % 50 = 3, 'due', '', 'done', null, 'missed', null)),
        case when s.status not in ('solved', 'closed') then now() + (n - ${ROWS / 2}) * interval '1 min' end
      from ${numbers(ROWS - 1)}, (select min(id) as first from visitors) v, (select min(id) as first from agents) a,
        (select min(id) as first from teams) m,
        lateral (select (array['closed', 'closed', 'solved', 'open', 'pending', 'closed', 'closed', 'hold', 'new'])[1 + abs(hashint4(-n)) % 9]) s (status)`,
  );
  await insert(
    ctx,
    sql`insert into rule_runs (site_id, rule_id, ticket_id, event, because, outcome, chain, created_at)
      select t.site_id, r.first + t.id % 5000, t.id, 'ticket_created', '[]', case when t.id % 9 = 0 then 'failed' else 'done' end,
        '{}', t.created_at
      from tickets t, (select min(id) as first from rules) r`,
  );
  await insert(
    ctx,
    sql`insert into ticket_replies (site_id, ticket_id, type, body, author_type, mail_state, created_at)
      select site_id, id, 'public', 'Text', 'system', case when id % 50 = 0 then 'bounced' else 'sent' end, created_at from tickets`,
  );
  await insert(
    ctx,
    sql`insert into attachments (site_id, reply_id, name, content_type, size, content)
      select site_id, id, 'file.txt', 'text/plain', 1, 'x' from ticket_replies`,
  );
  await insert(
    ctx,
    sql`insert into ticket_tags (site_id, ticket_id, tag_id, created_at)
      select t.site_id, t.id, g.first + case when t.id % 10 = 0 then 0 else t.id % 5000 end, t.created_at
      from tickets t, (select min(id) as first from tags) g`,
  );
  await insert(
    ctx,
    sql`insert into fields (site_id, applies_to, key, name, kind, position)
      select ${site}, o, 'field_' || n, 'Field', 'text', n from ${numbers(50)}, unnest(array['tickets', 'chats']) o`,
  );
  await insert(
    ctx,
    sql`insert into conversation_fields (site_id, conversation_id, field_id, value)
      select c.site_id, c.id, f.id, case f.key when 'field_1' then 'common' else 'rare ' || c.id % 5000 end
      from conversations c, fields f where f.applies_to = 'chats' and f.key in ('field_1', 'field_2')`,
  );
  await insert(
    ctx,
    sql`insert into ticket_fields (site_id, ticket_id, field_id, value)
      select t.site_id, t.id, f.id, case f.key when 'field_1' then 'common' else 'rare ' || t.id % 5000 end
      from tickets t, fields f where f.applies_to = 'tickets' and f.key in ('field_1', 'field_2')`,
  );
  await insert(
    ctx,
    sql`insert into ticket_words (site_id, ticket_id, created_at, words)
      select site_id, id, created_at, array_to_tsvector(array[site_id || ':ticket', site_id || ':k' || id % 10,
        site_id || ':m' || id % 97, site_id || ':n' || id % 9770, site_id || ':u' || id]) from tickets`,
  );
  await insert(
    ctx,
    sql`insert into portal_links (site_id, ticket_id, token_hash, expires_at)
      select t.site_id, case when t.id % 10 = 0 then f.first else t.id end, decode(md5(t.id::text), 'hex'), now() + interval '1 day'
      from tickets t, (select min(id) as first from tickets) f`,
  );
  await insert(
    ctx,
    sql`insert into audit_entries (site_id, actor_kind, subject, subject_id, action, changes)
      select t.site_id, 'operator', 'ticket', case when t.id % 10 = 0 then f.first else t.id end, 'updated', '{"status": ["new", "open"]}'
      from tickets t, (select min(id) as first from tickets) f`,
  );
}

async function fillWriting(ctx: SiteContext): Promise<void> {
  await insert(
    ctx,
    sql`insert into drafts (site_id, agent_id, ticket_id, kind, text, updated_at)
      select t.site_id, a.first + t.id / 5 % 20, t.id, 'reply', 'Dear', now()
      from tickets t, (select min(id) as first from agents) a where t.id % 5 = 0`,
  );
  // All of one agent, and all but the oldest for finished records.
  await insert(
    ctx,
    sql`with named as (insert into mentions (site_id, agent_id, note_id, name, created_at)
      select n.site_id, a.first, n.id, 'Agent 1', now()
      from notes n, (select min(id) as first from agents) a where n.id % 2 = 0 returning *)
      insert into mention_queue (site_id, mention_id, agent_id, conversation_id, is_open)
      select m.site_id, m.id, m.agent_id, n.conversation_id, m.id < 1000 from named m join notes n on n.id = m.note_id`,
  );
}

async function fillLogs(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  await insert(
    ctx,
    sql`insert into categories (site_id, name, slug, position)
      select ${site}, 'Category ' || n, 'category-' || n, n from ${numbers(5_000)}`,
  );
  await insert(
    ctx,
    sql`insert into articles (site_id, title, category_id, title_key, status, body, slug, version)
      select ${site}, 'Article ' || n, c.first + n % 20, 'article ' || n,
        (array['Draft', 'Published', 'Archived'])[1 + n % 3], 'About ' || md5(n::text), 'article-' || n, 1
      from ${numbers(2_000)}, (select min(id) as first from categories) c`,
  );
  await insert(
    ctx,
    sql`insert into article_versions (site_id, article_id, number, title, status, body, cause, created_at)
      select a.site_id, case when n.n = 1 then a.id else f.first end, case when n.n = 1 then 1 else 1 + row_number() over (partition by n.n order by a.id) end,
        a.title, a.status, a.body, 'edited', now()
      from articles a, generate_series(1, 2) n (n), (select min(id) as first from articles) f`,
  );
  await insert(
    ctx,
    sql`insert into article_images (site_id, digest, content_type, width, height, content, created_at)
      select ${site}, md5(n::text), 'image/webp', 1, 1, 'x', now() from ${numbers(ROWS)}`,
  );
  await insert(
    ctx,
    sql`insert into deleted_articles (site_id, id, title, status, body, slug, former_slugs, helpful, unhelpful,
        set_question_ids, training_row_ids, created_at, deleted_at)
      select ${site}, 100000 + n, 'Deleted ' || n, 'Draft', md5(n::text), 'deleted-' || n, '{}', 0, 0, '{}', '{}', now(), now()
      from ${numbers(2_000)}`,
  );
  await insert(
    ctx,
    sql`insert into training_rows (site_id, question, question_key, answer, version, created_at, updated_at)
      select ${site}, 'Question ' || n, 'question ' || n, 'Answer', 1, now(), now() from ${numbers(2_000)}`,
  );
  await insert(
    ctx,
    sql`insert into mailboxes (site_id, address, incoming, created_at, updated_at)
      select ${site}, 'box' || n || '@shop.example', 'smtp', now(), now() from ${numbers(5_000)}`,
  );
  await insert(
    ctx,
    sql`insert into mailbox_sign_ins (site_id, mailbox_id, provider)
      select site_id, id, 'google' from mailboxes where site_id = ${site}`,
  );
  await insert(
    ctx,
    sql`insert into received_mails (site_id, mailbox_id, route, source, received_at, size, raw, state, reason, from_address, subject)
      select ${site}, b.id, 'imap', '1:' || n, now() - (${ROWS} - n) * interval '1 min', 3, 'raw',
        case n % 50 when 0 then 'suspended' when 1 then 'failed' else 'ticket' end, case n % 50 when 0 then 'spam' when 1 then 'error' end,
        'visitor' || n % 1000 || '@example.com', 'Subject ' || n
      from ${numbers(ROWS)} join (
        select id, row_number() over (order by id) as place from mailboxes where site_id = ${site}) b on b.place = n % 200 + 1`,
  );
  await insert(
    ctx,
    sql`insert into blocked_senders (site_id, sender, created_at)
      select ${site}, 'spam' || n || '@example.com', now() from ${numbers(2_000)}`,
  );
  await insert(
    ctx,
    sql`insert into ticket_mails (site_id, ticket_id, reply_id, mailbox_id, is_outgoing, message_id, subject, to_list, created_at)
      select r.site_id, r.ticket_id, r.id, b.id, true, r.id || '@shop.example', 'Subject', '[{"name": null, "address": "a@example.com"}]', now()
      from ticket_replies r join (
        select id, row_number() over (order by id) as place from mailboxes where site_id = ${site}) b on b.place = r.id % 200 + 1
      where r.site_id = ${site} order by r.id limit ${ROWS}`,
  );
  await insert(
    ctx,
    sql`insert into mail_attempts (site_id, ticket_id, mail_id, outcome, attempted_at)
      select site_id, ticket_id, id, 'sent', now() from ticket_mails where site_id = ${site}`,
  );
  await insert(
    ctx,
    sql`insert into ticket_mails (site_id, ticket_id, is_outgoing, message_id, created_at)
      select site_id, id, false, id || '@customer.example', now() from tickets where site_id = ${site} order by id limit 20000`,
  );
  await insert(
    ctx,
    sql`insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
      select ${site}, 'https://a.example/' || n, '{handoff}', 'x', 'xxxx' from ${numbers(100)}`,
  );
  await insert(
    ctx,
    sql`insert into stream_recordings (site_id, kept_until, since_xid) select id, now(), 1 from sites`,
  );
  await insert(
    ctx,
    sql`insert into webhook_events (site_id, id, event, body, created_at)
      select ${site}, 'evt_' || n, case when n % 50 = 0 then 'feedback' else 'handoff' end, '{}', now() - (${ROWS} - n) * interval '1 min'
      from ${numbers(ROWS)}`,
  );
  await insert(
    ctx,
    sql`insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, dead_at, created_at)
      select ${site}, 'del_' || n, 'evt_' || n, s.first + n % 100,
        case when n % 100 in (76, 77) then now() end, now() - (${ROWS} - n) * interval '1 min'
      from ${numbers(ROWS)}, (select min(id) as first from webhook_subscriptions) s`,
  );
  await insert(
    ctx,
    sql`insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at, attempts_made)
      select site_id, id, subscription_id, now() + interval '1 day', id % 2 from webhook_deliveries
      where dead_at is null and substr(event_id, 5)::int % 100 > 77`,
  );
  await insert(
    ctx,
    sql`insert into webhook_attempts (site_id, delivery_id, number, at, duration_ms)
      select d.site_id, d.id, 1, d.created_at, 20 from webhook_deliveries d
      left join webhook_queue q on q.site_id = d.site_id and q.delivery_id = d.id where q.attempts_made is distinct from 0`,
  );
}

/** All of one agent: a waiting chat notifies the whole team, however many wait. Few of them still wait. */
async function fillNotifications(ctx: SiteContext): Promise<void> {
  await insert(
    ctx,
    sql`insert into notifications (site_id, agent_id, kind, conversation_id, happened_at, unseen_since, seen_at)
      select c.site_id, a.first, case when c.id % 100 = 1 then 'assigned' else 'chat_waiting' end, c.id, c.started_at,
        c.started_at, case when c.id % 50 > 0 then c.started_at end
      from conversations c, (select min(id) as first from agents) a`,
  );
}

/** The calls of fifty actions; some failed, and a few are unfinished. */
async function fillActions(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  await insert(
    ctx,
    sql`insert into actions (site_id, name, label, steps, created_at, updated_at)
      select ${site}, 'Action ' || n, 'Action ' || n, '[]', now(), now() from ${numbers(50)}`,
  );
  await insert(
    ctx,
    sql`insert into action_calls (site_id, action_id, action_name, conversation_id, begun_by, key, method, input,
        started_at, expires_at, finished_at, error)
      select ${site}, a.first + n % 50, 'Action', c.first + n % 1000, 'button', gen_random_uuid(), 'GET', '{}',
        now() - (${ROWS} - n) * interval '1 min', now() - (${ROWS} - n) * interval '1 min',
        case when n % 1000 > 0 then now() end, case when n % 100 = 1 then 'The receiver answered 500.' end
      from ${numbers(ROWS)}, (select min(id) as first from actions) a, (select min(id) as first from conversations) c`,
  );
}

/** Twenty sets of a thousand questions, each evaluated; the second evaluation is of the first one's set. */
async function fillBot(ctx: SiteContext): Promise<void> {
  const site = sql`${ctx.site.id}::bigint`;
  await insert(
    ctx,
    sql`insert into question_sets (site_id, name) select ${site}, 'Set ' || n from ${numbers(20)}`,
  );
  await insert(
    ctx,
    sql`insert into set_questions (site_id, set_id, question, question_key, expects)
      select s.site_id, s.id, 'Question ' || n, 'question ' || n, 'unknown' from question_sets s, ${numbers(1_000)}`,
  );
  await insert(
    ctx,
    sql`insert into evaluations (site_id, set_id, knowledge_version, total, done, tally, finished_at)
      select ${site}, s.first + greatest(n - 2, 0), 1, 1000, 1000, '{}', now()
      from ${numbers(20)}, (select min(id) as first from question_sets) s`,
  );
  await insert(
    ctx,
    sql`insert into evaluation_results (site_id, evaluation_id, position, question_id, question, expects, outcome, kind)
      select e.site_id, e.id, n, n, 'Question ' || n, 'unknown', (array['right', 'wrong', 'silent'])[1 + n % 3], 'unknown'
      from evaluations e, ${numbers(1_000)}`,
  );
  await insert(
    ctx,
    sql`insert into unanswered_questions (site_id, question, terms, asked, last_asked_at, dismissed_at, solved_at)
      select ${site}, 'Question ' || n, '{question}', n % 50, now(), case when n % 3 = 1 then now() end,
        case when n % 3 = 2 then now() end
      from ${numbers(ROWS)}`,
  );
}

/** Fills one site; the others are empty. */
export async function fillSite(ctx: SiteContext): Promise<Filled> {
  await fillPeople(ctx);
  await fillTimelines(ctx);
  await fillChats(ctx);
  await fillTickets(ctx);
  await fillWriting(ctx);
  await fillLogs(ctx);
  await fillBot(ctx);
  await fillActions(ctx);
  await fillNotifications(ctx);
  await fillSums(ctx);
  await insert(ctx, sql`vacuum analyze`);
  const { rows } = await sql<Filled>`
    select (select min(id) from tickets) as "ticketId", (select min(id) from agents) as "agentId",
      (select min(id) from teams) as "teamId",
      (select min(id) from articles) as "articleId", (select min(id) from webhook_subscriptions) as "subscriptionId",
      (select min(id) from actions) as "actionId", (select min(session_id) from conversations) as "sessionId",
      (select min(id) from question_sets) as "setId",
      array(select id from evaluations order by id limit 2) as "evaluationIds"`.execute(ctx.db);
  const [filled] = rows;
  if (!filled) throw new Error('nothing was filled');
  return filled;
}
