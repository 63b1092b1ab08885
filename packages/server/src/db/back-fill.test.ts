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

/** Runs what a migration does to rows; its columns are there already. */
async function backFill(file: string): Promise<void> {
  const text = await readFile(new URL(`../../migrations/${file}`, import.meta.url), 'utf8');
  await sql.raw(text.replace(/^alter table .*;$/gm, '')).execute(ctx.db);
}

test('summaries that were written with the visitor in them keep what they say, with the visitor apart', async () => {
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
