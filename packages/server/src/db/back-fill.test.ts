import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from '../core/context.ts';
import { upsertVisitor } from '../visitors/visitors.ts';

const ground = useGround();
let ctx: SiteContext;
let chatId: number;
beforeEach(async () => {
  ctx = await ground.makeSite();
  await upsertVisitor(ctx, { key: 'u1', name: 'Ann' });
  const { rows } = await sql<{ id: number }>`
    insert into conversations (site_id, session_id, visitor_id, start_client_id)
    select site_id, ${`ses_${randomUUID()}`}, id, gen_random_uuid() from visitors where site_id = ${ctx.site.id}
    returning id`.execute(ctx.db);
  chatId = rows[0]?.id ?? 0;
});

/** Runs the statements of a migration that change rows; its columns exist already. */
async function backFill(file: string): Promise<void> {
  const text = await readFile(new URL(`../../migrations/${file}`, import.meta.url), 'utf8');
  await sql.raw(text.replace(/^(?:alter table|create index) [^;]*;$/gm, '')).execute(ctx.db);
}

test('summaries that contain the visitor keep their text, with the visitor separate', async () => {
  const asked =
    'The visitor asked for a person.\n“Where is it?” – not answered yet.\n… and 3 more questions.';
  for (const summary of [`${asked}\nAnn, ann@example.com, on shop.example/cart`, asked])
    await sql`
      insert into handoffs (site_id, conversation_id, reason, summary)
      values (${ctx.site.id}, ${chatId}, 'visitor_request', ${summary})`.execute(ctx.db);
  await backFill('0064_handoff_visitor.sql');
  const { rows } = await sql`
    select summary, visitor_line from handoffs where site_id = ${ctx.site.id} order by id`.execute(ctx.db);
  expect(rows).toEqual([
    { summary: asked, visitor_line: 'Ann, ann@example.com, on shop.example/cart' },
    { summary: asked, visitor_line: null },
  ]);
});

test('messages in which the bot said that it did not know are marked, in any language, and no others', async () => {
  const said = [
    [
      'bot',
      'Das weiß ich nicht, und raten möchte ich nicht. Stellen Sie die Frage gern anders, oder sprechen Sie mit einem Menschen.',
    ],
    ['bot', "I couldn't find an answer to that either, so I'm asking a person to take over."],
    ['bot', 'We open at nine.'],
    ['visitor', "I couldn't find an answer to that either, so I'm asking a person to take over."],
  ];
  for (const [at, [sender, text]] of said.entries())
    await sql`
      insert into messages (site_id, conversation_id, seq, client_id, sender, text)
      values (${ctx.site.id}, ${chatId}, ${at + 1}, gen_random_uuid(), ${sender}, ${text})`.execute(ctx.db);
  await backFill('0065_not_known.sql');
  const { rows } = await sql<{ event: string | null }>`
    select event from messages where site_id = ${ctx.site.id} order by seq`.execute(ctx.db);
  expect(rows.map(({ event }) => event)).toEqual(['not_known', 'not_known', null, null]);
});

async function addMessages(said: readonly (readonly [sender: string, text: string])[]): Promise<void> {
  for (const [at, [sender, text]] of said.entries())
    await sql`
      insert into messages (site_id, conversation_id, seq, client_id, sender, text, created_at)
      values (${ctx.site.id}, ${chatId}, ${at + 1}, gen_random_uuid(), ${sender}, ${text},
        ${new Date(Date.UTC(2026, 2, 10, 10, at))})`.execute(ctx.db);
  await sql`
    update conversations set last_seq = ${said.length}, last_sender = 'system' where site_id = ${ctx.site.id}
  `.execute(ctx.db);
}

test('old chats get their last words, their subject and since when they wait for an answer', async () => {
  await addMessages([
    ['visitor', 'Hi'],
    ['bot', 'Hello!'],
    ['visitor', 'Where is my order from Monday?'],
    ['visitor', 'It had two lamps'],
    ['system', 'Ada joined the chat.'],
  ]);
  await backFill('0072_activity.sql');
  const minute = (at: number): Date => new Date(Date.UTC(2026, 2, 10, 10, at));
  const { rows } = await sql`
    select said_sender, said_text, said_at, about, unanswered_since from conversations
    where site_id = ${ctx.site.id}`.execute(ctx.db);
  expect(rows).toEqual([
    {
      said_sender: 'visitor',
      said_text: 'It had two lamps',
      said_at: minute(3),
      about: 'Where is my order from Monday?',
      unanswered_since: minute(2),
    },
  ]);
});

test('old tickets get their last activity, and whose turn it is', async () => {
  const minute = (at: number): Date => new Date(Date.UTC(2026, 2, 10, 10, at));
  const replies: Record<string, (readonly [type: string, author: string, at: number])[]> = {
    'never answered': [['note', 'system', 3]],
    answered: [['public', 'system', 2]],
    'asked again': [
      ['public', 'system', 2],
      ['public', 'requester', 4],
      ['public', 'requester', 5],
      ['note', 'system', 9],
    ],
  };
  for (const [subject, said] of Object.entries(replies)) {
    const { rows } = await sql<{ id: number }>`
      insert into tickets (site_id, subject, description, requester_id, created_at, updated_at)
      select site_id, ${subject}, 'Text', id, ${minute(1)}, ${minute(30)} from visitors where site_id = ${ctx.site.id}
      returning id`.execute(ctx.db);
    for (const [type, author, at] of said)
      await sql`
        insert into ticket_replies (site_id, ticket_id, type, body, author_type, created_at)
        values (${ctx.site.id}, ${rows[0]?.id}, ${type}, 'Text', ${author}, ${minute(at)})`.execute(ctx.db);
  }
  await backFill('0072_activity.sql');
  const { rows } = await sql`
    select subject, last_activity_at, unanswered_since, replied_at from tickets
    where site_id = ${ctx.site.id} order by id`.execute(ctx.db);
  const turn = (subject: string, active: number, asked: number | null, replied: number | null) => ({
    subject,
    last_activity_at: minute(active),
    unanswered_since: asked && minute(asked),
    replied_at: replied && minute(replied),
  });
  expect(rows).toEqual([
    turn('never answered', 1, 1, null),
    turn('answered', 2, null, 2),
    turn('asked again', 5, 4, 2),
  ]);
});
