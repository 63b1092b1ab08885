import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../test/find-due.ts';
import { useGround } from '../../test/ground.ts';
import { uploadClock } from '../attachments/uploads.ts';
import type { SiteContext } from '../core/context.ts';
import { notificationClock } from '../notifications/clock.ts';
import { upsertVisitor } from '../visitors/visitors.ts';
import type { RecurringJob } from './schedule.ts';

const ground = useGround();
const NOW = new Date('2026-03-10T12:00:00Z');
const DAY_MS = 86_400_000;
let ctx: SiteContext;
let agentId: number;

beforeEach(async () => {
  const { site } = await ground.makeSite();
  ctx = ground.contextOf(site.id, { actor: { kind: 'job' }, now: () => NOW });
  await upsertVisitor(ctx, { key: 'u1' });
  const { rows } = await sql<{ id: number }>`
    with person as (
      insert into auth_users (id, name, email) values (${randomUUID()}, 'Ada', ${`${randomUUID()}@example.com`})
      returning id
    )
    insert into agents (site_id, user_id, role, name) select ${site.id}, id, 'agent', 'Ada' from person
    returning id`.execute(ctx.db);
  agentId = rows[0]?.id ?? 0;
});

async function newChat(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into conversations (site_id, session_id, visitor_id, start_client_id)
    select site_id, ${`ses_${randomUUID()}`}, id, gen_random_uuid() from visitors where site_id = ${ctx.site.id}
    returning id`.execute(ctx.db);
  return rows[0]?.id ?? 0;
}

/** Runs a recurring job until nothing is due. */
async function runClock(jobs: readonly RecurringJob[], name: string): Promise<void> {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`no clock is called ${name}`);
  for (const item of await findDue(job, ctx.db, NOW, 100))
    if (item.siteId === ctx.site.id) await job.run(ctx, item.id);
}

test('an old unsent file is deleted; sent ones, and those of just a day, stay', async () => {
  const chat = await newChat();
  await sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    values (${ctx.site.id}, ${chat}, 1, gen_random_uuid(), 'agent', 'Here')`.execute(ctx.db);
  const { rows: replies } = await sql<{ id: number }>`
    with ticket as (
      insert into tickets (site_id, subject, description, requester_id)
      select site_id, 'A lamp', 'Broken', id from visitors where site_id = ${ctx.site.id} returning id
    )
    insert into ticket_replies (site_id, ticket_id, type, body, author_type)
    select ${ctx.site.id}, id, 'public', 'Look', 'requester' from ticket returning id`.execute(ctx.db);
  const put = (name: string, ageMs: number, to: { chat?: number; reply?: number } = {}) =>
    sql`
      insert into attachments
        (site_id, upload_id, agent_id, conversation_id, message_seq, reply_id, name, content_type, size, content, created_at)
      values (${ctx.site.id}, gen_random_uuid(), ${agentId}, ${to.chat ?? null}, ${to.chat ? 1 : null}, ${to.reply ?? null},
        ${name}, 'text/plain', 1, 'x', ${new Date(NOW.getTime() - ageMs)})`.execute(ctx.db);
  await put('unsent, older than a day', DAY_MS + 1);
  await put('unsent, a day old', DAY_MS);
  await put('sent in a chat', 90 * DAY_MS, { chat });
  await put('sent with a reply', 90 * DAY_MS, { reply: replies[0]?.id ?? 0 });
  await runClock(uploadClock, 'uploads.prune');
  const { rows } = await sql<{ name: string }>`
    select name from attachments where site_id = ${ctx.site.id} order by id`.execute(ctx.db);
  expect(rows.map(({ name }) => name)).toEqual(['unsent, a day old', 'sent in a chat', 'sent with a reply']);
});

test('notifications and their mails are deleted when they are older than thirty days, and not a moment before', async () => {
  for (const ageMs of [30 * DAY_MS + 1, 30 * DAY_MS, 29 * DAY_MS]) {
    const at = new Date(NOW.getTime() - ageMs);
    await sql`
      insert into notifications (site_id, agent_id, kind, conversation_id, happened_at, unseen_since)
      values (${ctx.site.id}, ${agentId}, 'chat_message', ${await newChat()}, ${at}, ${at})`.execute(ctx.db);
    await sql`
      insert into digest_mails (site_id, agent_id, made_at) values (${ctx.site.id}, ${agentId}, ${at})`.execute(
      ctx.db,
    );
  }
  await runClock(notificationClock, 'notifications.prune');
  for (const [table, column] of [
    ['notifications', 'happened_at'],
    ['digest_mails', 'made_at'],
  ] as const) {
    const { rows } = await sql<{ age: number }>`
      select (extract(epoch from ${NOW}::timestamptz - ${sql.ref(column)}) / 86400)::float as age
      from ${sql.table(table)} where site_id = ${ctx.site.id} order by 1`.execute(ctx.db);
    expect(
      rows.map(({ age }) => age),
      table,
    ).toEqual([29, 30]);
  }
});
