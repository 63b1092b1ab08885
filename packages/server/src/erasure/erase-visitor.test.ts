import { randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import { allow, mail, openMailDesk, PROVEN } from '../../test/mails/mail-desk.ts';
import { handOff } from '../conversations/handoffs.ts';
import type { SiteContext } from '../core/context.ts';
import { addAgent } from '../sites/agents/agents.ts';
import { trackEvent } from '../visitors/events/track.ts';
import { openDevice } from '../visitors/identity/devices.ts';
import { currentVisitor } from '../visitors/rows.ts';
import { findVisitors, isNewVisitor, upsertVisitor } from '../visitors/visitors.ts';
import { eraseVisitor } from './erase-visitor.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await sql<{ table_name: string }>`
    select table_name from information_schema.tables where table_schema = 'public'`.execute(ctx.db);
  let text = '';
  for (const { table_name } of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table_name)} t`.execute(ctx.db);
    for (const { row } of rows) {
      text += `${table_name} ${JSON.stringify(row)}\n`;
      // bytea appears as \x and hex.
      for (const value of Object.values(row)) {
        if (typeof value === 'string' && value.startsWith('\\x'))
          text += Buffer.from(value.slice(2), 'hex').toString();
      }
    }
  }
  return text;
}

async function liveALife(): Promise<number> {
  await ctx.db
    .insertInto('webhook_subscriptions')
    .values({
      site_id: ctx.site.id,
      url: 'https://a.example',
      events: ['visitor_identified', 'ticket_created', 'handoff'],
      secret_cipher: Buffer.from('x'),
      secret_hint: 'xxxx',
    })
    .execute();
  const identity = { key: 'user-xyzzy', email: 'ann@secret.example', name: 'Ann Secret' };
  const left = `The visitor left the email address ${identity.email}.`;
  await upsertVisitor(ctx, { ...identity, phone: 'tel-xyzzy' });
  await trackEvent(ctx, { key: identity.key, name: 'paid', properties: { card: 'card-xyzzy' } });
  const { visitorId, deviceId } = await openDevice(ctx.db, ctx.site.id, {
    key: identity.key,
    now: ctx.now(),
  });
  const { id } = await ctx.db
    .insertInto('conversations')
    .values({
      site_id: ctx.site.id,
      session_id: `ses_${randomUUID()}`,
      visitor_id: visitorId,
      device_id: deviceId,
      start_client_id: randomUUID(),
      contact_email: identity.email,
      last_seq: 2,
      last_sender: 'system',
      last_text: left,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, event, text, author_name) values
      (${ctx.site.id}, ${id}, 1, gen_random_uuid(), 'visitor', null, 'Where is it?', ${identity.name}),
      (${ctx.site.id}, ${id}, 2, gen_random_uuid(), 'system', 'email_left', ${left}, null)`.execute(ctx.db);
  const { id: ticket_id } = await ctx.db
    .insertInto('tickets')
    .values({
      site_id: ctx.site.id,
      subject: 'Where is it?',
      description: `12:00 ${identity.name}: Where is it?\n12:01 Agent: I write to ${identity.email}.`,
      requester_id: visitorId,
      requester_email: identity.email,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { session_id } = await ctx.db
    .selectFrom('conversations')
    .select('session_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await handOff(ctx, session_id, { reason: 'no_answer' });
  const { id: agentId } = await addAgent(ctx, {
    email: `ada-${randomUUID()}@example.com`,
    name: 'Ada',
    password: 'not the password',
    role: 'admin',
  });
  await sql`
    with made as (
      insert into imports (site_id, kind, agent_id, file_name, bytes, created_at)
      values (${ctx.site.id}, 'visitors', ${agentId}, 'people.csv', 1, now()) returning id)
    insert into import_problems (site_id, import_id, line, cells, issues)
    select ${ctx.site.id}, id, line, cells, '[]' from made, (values
      (2, ${JSON.stringify([' Ann@Secret.example ', identity.name])}::jsonb),
      (3, ${JSON.stringify(['ben@else.example', 'Ben Else'])}::jsonb)) as rows (line, cells)`.execute(ctx.db);
  await ctx.emit({
    webhook: {
      event: 'ticket_created',
      body: {
        ticket_id,
        session_id: null,
        subject: 'Where is it?',
        requester: identity,
        channel: 'api',
        fields: {},
      },
    },
  });
  return visitorId;
}

const HANDED_OFF = 'The bot had no answer twice in a row.\n“Where is it?” – no answer yet.';

/** The form in which an erasure or redaction of another record writes events back. */
const rewriteEvents = () =>
  sql`update webhook_events set body = convert_to(convert_from(body, 'UTF8')::jsonb::text, 'UTF8')`.execute(
    ctx.db,
  );

test.each([
  ['', async () => undefined],
  [' whose events were changed before', rewriteEvents],
])('nothing personal of an erased visitor%s is left in any table, and the chat stays', async (_, prepare) => {
  const visitorId = await liveALife();
  await prepare();
  const before = await everything();
  for (const trace of ['xyzzy', 'secret.example', 'Ann Secret']) expect(before).toContain(trace);

  expect(await eraseVisitor(ctx, 'user-xyzzy')).toEqual({ key: 'user-xyzzy', deleted: true });

  const after = await everything();
  expect(after).not.toMatch(/xyzzy|secret\.example|Ann Secret/);
  expect(after).toContain('Where is it?');
  expect(after).toContain('ben@else.example');
  const events = await ctx.db
    .selectFrom('webhook_events')
    .select('body')
    .where('site_id', '=', ctx.site.id)
    .execute();
  const nobody = { key: null, name: null, email: null };
  expect(events.map(({ body }) => JSON.parse(body.toString()))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'visitor_identified', visitor: nobody }),
      expect.objectContaining({ event: 'ticket_created', requester: nobody, subject: 'Where is it?' }),
      expect.objectContaining({ event: 'handoff', visitor: nobody, summary: HANDED_OFF }),
    ]),
  );
  expect(await currentVisitor(ctx.db, ctx.site.id, visitorId)).toBeUndefined();
});

test('an erased key is free for a new visitor', async () => {
  await upsertVisitor(ctx, { key: 'u1', name: 'Ann' });
  await eraseVisitor(ctx, 'u1');
  await expect(eraseVisitor(ctx, 'u1')).rejects.toMatchObject({ code: 'not_found' });
  const made = await upsertVisitor(ctx, { key: 'u1' });
  expect(isNewVisitor(made)).toBe(true);
  expect(made.name).toBeNull();
});

test('a merged visitor is erased with the one that it was merged into', async () => {
  await upsertVisitor(ctx, { key: 'anon_xyzzy', name: 'Ann Secret' });
  await upsertVisitor(ctx, { key: 'u1', previous_key: 'anon_xyzzy' });
  await eraseVisitor(ctx, 'u1');
  const { rows } = await sql`select * from visitors where site_id = ${ctx.site.id}`.execute(ctx.db);
  expect(JSON.stringify(rows)).not.toMatch(/xyzzy|Ann/);
});

test('an erased device no longer opens anything', async () => {
  const { token, visitorId } = await openDevice(ctx.db, ctx.site.id, { key: 'u1', now: ctx.now() });
  await eraseVisitor(ctx, 'u1');
  const again = await openDevice(ctx.db, ctx.site.id, { token, key: 'u1', now: ctx.now() });
  expect(again.token).not.toBe(token);
  expect(again.visitorId).not.toBe(visitorId);
});

test('events that arrive while a visitor is being erased are erased with them or belong to a new one', async () => {
  await upsertVisitor(ctx, { key: 'u1' });
  const [erased] = await Promise.all([
    eraseVisitor(ctx, 'u1'),
    ...Array.from({ length: 20 }, () => trackEvent(ctx, { key: 'u1', name: 'looked' })),
  ]);
  expect(erased.deleted).toBe(true);
  const { rows } = await sql`
    select from visitor_events e join visitors v on v.site_id = e.site_id and v.id = e.visitor_id
    where e.site_id = ${ctx.site.id} and v.erased_at is not null`.execute(ctx.db);
  expect(rows).toEqual([]);
});

test("another site's visitor can't be erased", async () => {
  const other = await ground.makeSite();
  await upsertVisitor(ctx, { key: 'u1', name: 'Ann' });
  await expect(eraseVisitor(other, 'u1')).rejects.toMatchObject({ code: 'not_found' });
  const input = contract['visitors.find'].input.parse({ key: 'u1' });
  expect(await findVisitors(ctx, input)).toMatchObject({ name: 'Ann' });
});

test('the text that a visitor mailed into somebody else’s ticket stays, without name, address and files', async () => {
  const desk = await openMailDesk(ground);
  allow(desk.zone, 'customer.example');
  const copied = {
    'Message-ID': '<first@customer.example>',
    Cc: 'Zoe Quill <zoe@partner.example>, tom@partner.example',
  };
  const first = await desk.receive(mail(copied), { envelopeFrom: 'ann@customer.example', ...PROVEN });
  const hers = mail(
    {
      From: 'Zoe Quill <zoe@partner.example>',
      'In-Reply-To': '<first@customer.example>',
      'Content-Type': 'multipart/mixed; boundary=b',
    },
    '--b\nContent-Type: text/plain\n\nThe parcel is at the depot.\n--b\nContent-Type: text/plain; name="quill.txt"\nContent-Disposition: attachment; filename="quill.txt"\n\nZoe Quill\n--b--',
  );
  expect(await desk.receive(hers)).toMatchObject({ state: 'reply', ticket_id: first.ticket_id });
  // Mails of others, as they were received, are kept until their retention ends.
  await sql`update received_mails set raw = null where id = ${first.id}`.execute(ground.db);
  await upsertVisitor(desk.ctx, { key: 'zoe', email: 'zoe@partner.example', name: 'Zoe Quill' });
  const before = await everything();
  for (const word of ['zoe@partner.example', 'Zoe Quill', 'quill.txt']) expect(before).toContain(word);

  await eraseVisitor(desk.ctx, 'zoe');
  const after = await everything();
  for (const word of ['zoe@partner.example', 'Zoe Quill', 'quill.txt']) expect(after).not.toContain(word);
  expect(await desk.replies(first.ticket_id ?? 0)).toMatchObject([
    { author_type: 'participant', body: 'The parcel is at the depot.' },
  ]);
  for (const word of ['ann@customer.example', 'tom@partner.example']) expect(after).toContain(word);
});
