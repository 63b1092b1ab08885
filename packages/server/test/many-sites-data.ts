import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../src/db/database.ts';

/** The totals of all sites. */
export interface Amount {
  sites: number;
  /** Visitors, chats, tickets, notifications and pages each. */
  records: number;
  messages: number;
  /** The first of 10,000 sites has 4.6 % of all records, the first hundred 21 %. By default sites get them in turn. */
  skewed?: boolean;
}

/**
 * Fills an empty database with sites in which nothing is due, as in most sites at any moment. Foreign keys are not
 * checked, which needs a role that may turn that off.
 */
export async function fillSites(db: Db, { sites, records, messages, skewed = false }: Amount): Promise<void> {
  const count = sql`${sites}::int`;
  const rows = sql`${records}::int`;
  const put = async (connection: Db, table: string, columns: string, select: RawBuilder<unknown>) =>
    sql`insert into ${sql.table(table)} (${sql.raw(columns)}) ${select}`.execute(connection);
  await db.connection().execute(async (one) => {
    await sql`set session_replication_role = replica`.execute(one);
    const per = (amount: RawBuilder<unknown>) => sql`generate_series(1, ${amount}) n`;
    const siteOf = (record: RawBuilder<unknown>) =>
      skewed
        ? sql`1 + floor(${count} * power(${record}::bigint * 7919 % 100003 / 100003.0, 3))::int`
        : sql`1 + ${record} % ${count}`;
    const site = siteOf(sql`n`);
    const old = sql`now() - interval '3 days' + n * interval '1 ms'`;
    await put(
      one,
      'sites',
      'id, name, greeting, public_key, routing',
      sql`
      select n, 'Site', '', 'pk_' || n, case when n % 2 = 0 then 'round_robin' else 'manual' end from ${per(count)}`,
    );
    await put(
      one,
      'auth_users',
      'id, name, email',
      sql`select 'u' || n, 'Ada', 'u' || n || '@example.com' from ${per(count)}`,
    );
    await put(
      one,
      'agents',
      'site_id, id, user_id, role, name, at_desk_at',
      sql`
      select n, n, 'u' || n, 'admin', 'Ada', now() - interval '1 day' from ${per(count)}`,
    );
    await put(
      one,
      'auth_sessions',
      'id, user_id, token, expires_at',
      sql`select 's' || n, 'u' || n, 't' || n, now() + interval '7 days' from ${per(count)}`,
    );
    await put(one, 'teams', 'site_id, id, name', sql`select n, n, 'Billing' from ${per(count)}`);
    // Half of the tokens expire, all of them later.
    await put(
      one,
      'api_tokens',
      'site_id, id, name, token_hash, hint, can_write, expires_at, expiry_notice_at',
      sql`
      select n, n, 'Program', sha256(n::text::bytea), '1234', false,
        case when n % 2 = 0 then now() + interval '90 days' end, case when n % 2 = 0 then now() + interval '83 days' end
      from ${per(count)}`,
    );
    await put(one, 'visitors', 'site_id, id, key', sql`select ${site}, n, 'v' || n from ${per(rows)}`);
    await put(
      one,
      'conversations',
      `site_id, id, session_id, visitor_id, start_client_id, status, last_seq, last_message_at, started_at, ended_at`,
      sql`
      select ${site}, n, 'ses_' || n, n, gen_random_uuid(), 'closed', 3, ${old}, ${old}, ${old} from ${per(rows)}`,
    );
    await put(
      one,
      'unread_replies',
      'site_id, conversation_id, due_at',
      sql`select ${site}, n, now() + interval '1 day' from ${per(rows)}`,
    );
    await put(
      one,
      'messages',
      'site_id, id, conversation_id, seq, client_id, sender, text, created_at',
      sql`
      select ${siteOf(sql`c`)}, n, c, 1 + n / ${rows}, gen_random_uuid(), 'visitor', 'Hello', ${old}
      from ${per(sql`${messages}::int`)}, lateral (select 1 + n % ${rows}) chat (c)`,
    );
    await put(
      one,
      'notes',
      'site_id, id, conversation_id, client_id, agent_id, text',
      sql`select ${site}, n, n, gen_random_uuid(), ${site}, 'Note' from ${per(rows)}`,
    );
    await put(
      one,
      'chat_slas',
      'site_id, conversation_id, due_at, event_at, created_at',
      sql`select ${site}, n, ${old}, now() + interval '1 day', ${old} from ${per(rows)}`,
    );
    await put(
      one,
      'tickets',
      `site_id, id, subject, description, status, requester_id, solved_at, created_at, updated_at, last_activity_at, sla_event_at`,
      sql`
      select ${site}, n, 'Ticket', 'Text', case when n % 2 = 0 then 'closed' else 'solved' end, n, ${old}, ${old}, ${old}, ${old}, now() + interval '1 day' from ${per(rows)}`,
    );
    await put(
      one,
      'notifications',
      'site_id, id, agent_id, kind, ticket_id, happened_at, unseen_since, seen_at',
      sql`
      select ${site}, n, ${site}, 'ticket', n, ${old}, ${old}, ${old} from ${per(rows)}`,
    );
    await put(
      one,
      'visitor_pages',
      'site_id, id, visitor_id, device_id, verified, url, came_at, opened_at, node, alive_at, left_at',
      sql`
      select ${site}, n, n, n, false, 'https://shop.example/', ${old}, ${old}, 'gone', ${old}, ${old} from ${per(rows)}`,
    );
    await put(
      one,
      'webhook_subscriptions',
      'site_id, id, url, events, secret_cipher, secret_hint',
      sql`
      select n, n, 'https://a.example/', '{handoff}', 'x', 'xxxx' from ${per(count)}`,
    );
    await put(one, 'webhook_leases', 'site_id, subscription_id', sql`select n, n from ${per(count)}`);
    await put(
      one,
      'segments',
      'site_id, id, name, rule, filled_at, touched_at',
      sql`
      select n, n, 'Segment', '{"all": []}', now(), now() from ${per(count)}`,
    );
    await put(
      one,
      'message_search_progress',
      'site_id, message_id, note_id',
      sql`select n, ${messages}::int, ${rows} from ${per(count)}`,
    );
    await put(one, 'report_sites', 'site_id, time_zone', sql`select n, 'Europe/Berlin' from ${per(count)}`);
    await put(
      one,
      'retention_runs',
      'site_id, kind, due_at',
      sql`
      select n, kind, now() + interval '1 hour' from ${per(count)}, unnest(array['webhook_log', 'action_log', 'deleted_articles']) kind`,
    );
    await put(
      one,
      'knowledge_sources',
      'site_id, kind, address, created_at, next_read_at',
      sql`
      select n, 'page', 'https://shop.example/', now(), now() + interval '1 hour' from ${per(count)}`,
    );
    await put(
      one,
      'drafts',
      'site_id, agent_id, ticket_id, kind, text, updated_at',
      sql`
      select n, n, n, 'reply', 'Dear', now() from ${per(count)}`,
    );
    await put(
      one,
      'article_images',
      'site_id, digest, content_type, width, height, content, created_at',
      sql`
      select n, md5(n::text), 'image/png', 1, 1, 'x', now() from ${per(count)}`,
    );
    await put(
      one,
      'attachments',
      'site_id, reply_id, name, content_type, size, content',
      sql`
      select ${site}, n, 'file.txt', 'text/plain', 1, 'x' from ${per(rows)}`,
    );
    await put(
      one,
      'imports',
      'site_id, kind, agent_id, file_name, bytes, created_at',
      sql`
      select n, 'visitors', n, 'a.csv', 1, now() from ${per(count)}`,
    );
    await put(
      one,
      'bulk_changes',
      'site_id, agent_id, change, created_at',
      sql`
      select n, n, '{}', now() from ${per(count)}`,
    );
    // Half of them are scheduled, with nothing due before tomorrow.
    await put(
      one,
      'rules',
      'site_id, id, name, position, trigger, events, actions, enabled_at, looked_at, look_at',
      sql`
      select n, n, 'Rule', 1, '{"on": "ticket_created"}', '{ticket_created}', '[]', now(), now(),
        case when n % 2 = 0 then now() + interval '1 day' end
      from ${per(count)}`,
    );
    await put(
      one,
      'rule_runs',
      'site_id, rule_id, event, because, outcome, chain, created_at',
      sql`
      select n, n, 'ticket_created', '[]', 'done', '{}', now() from ${per(count)}`,
    );
    await put(
      one,
      'site_archives',
      'site_id, agent_id, state, expires_at, created_at',
      sql`
      select n, n, '{}', now() + interval '1 day', now() from ${per(count)}`,
    );
    await sql`set session_replication_role = default`.execute(one);
    for (const table of ['messages', 'conversations', 'tickets', 'visitors', 'notes'])
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 0) + 1 from ${sql.table(table)}), false)`.execute(
        one,
      );
    await sql`select setval(pg_get_serial_sequence('sites', 'id'), ${sites + 1}, false)`.execute(one);
  });
  await sql`vacuum (analyze)`.execute(db);
}
