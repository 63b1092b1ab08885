import type { WebhookEvent } from '@foyer/protocol';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { allow, mail, openMailDesk, PROVEN } from '../../../test/mails/mail-desk.ts';
import type { SiteContext } from '../../core/context.ts';
import { replyAddressOf } from '../../mail/mailboxes/reply-addresses.ts';
import { parseMail } from '../../mime/parse-mail.ts';
import { processReceived } from './process.ts';

const ground = useGround();
const start = () => openMailDesk(ground);
const FROM = { envelopeFrom: 'ann@customer.example', ...PROVEN };

/** A subscription of the site without deliveries. */
const subscribe = ({ db, site }: SiteContext, events: WebhookEvent[]): Promise<unknown> =>
  db
    .insertInto('webhook_subscriptions')
    .values({
      site_id: site.id,
      url: 'https://example.com/',
      events,
      secret_cipher: Buffer.alloc(1),
      secret_hint: '',
    })
    .execute();

/** The events of new visitors and tickets that a site's subscriptions got, in order. */
async function eventsOf({ db, site }: SiteContext): Promise<string[]> {
  const { rows } = await sql<{ event: string; body: Buffer }>`
    select e.event, e.body from webhook_deliveries d join webhook_events e
      on e.site_id = d.site_id and e.id = d.event_id
    where d.site_id = ${site.id} order by d.id`.execute(db);
  return rows.map(({ event, body }) => {
    const { visitor, subject } = JSON.parse(body.toString());
    return `${event} ${visitor?.name ?? subject}`;
  });
}

it('a mail becomes a ticket of its sender, with its files; its answer is a reply in the thread', async () => {
  const desk = await start();
  allow(desk.zone, 'customer.example');
  const first = await desk.receive(mail({ 'Message-ID': '<first@customer.example>' }), FROM);
  expect(first).toMatchObject({ state: 'ticket', reason: null });
  const ticketId = first.ticket_id as number;
  expect(await desk.ticket(ticketId)).toMatchObject({
    subject: 'My parcel',
    description: 'Where is my parcel?',
    status: 'new',
  });
  const next = await desk.receive(
    mail({ 'In-Reply-To': '<first@customer.example>', Subject: 'Another subject' }, 'Still nothing.'),
    FROM,
  );
  expect(next).toMatchObject({ state: 'reply', ticket_id: ticketId });
  expect(await desk.replies(ticketId)).toMatchObject([{ author_type: 'requester', body: 'Still nothing.' }]);
});

it('a sender whose domain is not proven is a participant, and acts as nobody else', async () => {
  const desk = await start();
  const first = await desk.receive(mail({ 'Message-ID': '<f@customer.example>' }));
  await desk.receive(mail({ References: '<f@customer.example>' }, 'I am Ann, really'));
  expect(await desk.replies(first.ticket_id as number)).toMatchObject([{ author_type: 'participant' }]);
});

it('a signed reply address finds its ticket; another one, a subject and Reply-To do not', async () => {
  const desk = await start();
  const { ticket_id } = await desk.receive(mail({}));
  const { services, site } = desk.ctx;
  const signed = replyAddressOf(services, desk.address, 'ticket', site.id, ticket_id as number);
  expect(await desk.receive(mail({}, 'b'), { envelopeTo: signed.toUpperCase() })).toMatchObject({
    state: 'reply',
    ticket_id,
  });
  const forged = signed.replace(/\.[0-9a-f]{16}@/, '.0000000000000000@');
  expect(await desk.receive(mail({}, 'c'), { envelopeTo: forged })).toMatchObject({ state: 'ticket' });
  expect(await desk.receive(mail({ Subject: 'Re: My parcel', 'Reply-To': signed }, 'd'))).toMatchObject({
    state: 'ticket',
  });
});

it('the same mail by two routes and to two addresses is stored once, also by two processes at once', async () => {
  const desk = await start();
  const raw = mail({});
  const other = await desk.addMailbox(`sales@${desk.address.split('@')[1]}`);
  const ids = await Promise.all([
    desk.store(raw),
    desk.store(raw, { route: 'imap', source: '1:7', mailboxId: other }),
    desk.store(raw, { route: 'http' }),
  ]);
  await Promise.all(
    ids.flatMap((id) => [
      processReceived(desk.ctx, [id as number]),
      processReceived(desk.ctx, [id as number]),
    ]),
  );
  const states = await Promise.all(ids.map(async (id) => (await desk.row(id as number)).state));
  expect(states.sort()).toEqual(['duplicate', 'duplicate', 'ticket']);
  expect(await desk.store(raw, { route: 'imap', source: '1:7', mailboxId: other })).toBeUndefined();
  const tickets = ground.db.selectFrom('tickets').select('id').where('site_id', '=', desk.ctx.site.id);
  expect(await tickets.execute()).toHaveLength(1);
});

it('mails of one batch repeat, continue and flood as if each had come alone', async () => {
  const desk = await start();
  const first = mail({ 'Message-ID': '<one@customer.example>' });
  const answer = mail({ 'Message-ID': '<two@customer.example>', 'In-Reply-To': '<one@customer.example>' });
  const another = mail({ References: '<one@customer.example> <two@customer.example>' }, 'And more');
  const many = Array.from({ length: 30 }, (_, at) => mail({ From: 'sam@customer.example' }, `Sale ${at}`));
  const ids: number[] = [];
  const process = async (raws: string[]): Promise<void> => {
    const batch: number[] = [];
    for (const raw of raws) batch.push((await desk.store(raw)) as number);
    ids.push(...batch);
    expect(await processReceived(desk.ctx, batch.toReversed())).toEqual(new Map());
  };
  await process([first, answer, another, ...many, mail({ From: 'Sam@customer.example' }, 'Last')]);
  // In a batch of their own, because a failed batch would process them one by one and be right too.
  const twice = mail({ From: 'lee@customer.example' });
  await process([twice, twice]);
  const rows = await Promise.all(ids.map(desk.row));
  const [ticket, reply, next, ...others] = rows;
  const [original, duplicate] = others.splice(-2);
  const ticket_id = ticket?.ticket_id;
  expect([ticket, reply, next, original, duplicate]).toMatchObject([
    { state: 'ticket' },
    { state: 'reply', ticket_id },
    { state: 'reply', ticket_id },
    { state: 'ticket' },
    { state: 'duplicate', ticket_id: original?.ticket_id, detail: `${original?.id}` },
  ]);
  expect(others.map(({ state, reason }) => reason ?? state)).toEqual([...many.map(() => 'ticket'), 'flood']);
  const { rows: visitors } = await sql<{ count: number }>`
    select count(*)::integer as count from visitors where site_id = ${desk.ctx.site.id}`.execute(ground.db);
  expect(visitors).toEqual([{ count: 3 }]);
});

it('mails of strangers in one batch become tickets in their order, each with everything that belongs to it', async () => {
  const desk = await start();
  const { ctx } = desk;
  await subscribe(ctx, ['ticket_created', 'visitor_identified']);
  const from = (name: string) => ({ From: `${name} <${name}@customer.example>`, Subject: `From ${name}` });
  const known = await desk.receive(mail(from('dan')));
  const ids: number[] = [];
  for (const name of ['ann', 'bob', 'dan', 'eve'])
    ids.push(
      (await desk.store(mail({ ...from(name), 'Message-ID': `<${name}@x>` }, `I am ${name}`))) as number,
    );
  ids.push((await desk.store(mail({ ...from('fay'), 'In-Reply-To': '<eve@x>' }, 'So am I'))) as number);
  ids.push((await desk.store(mail(from('gus')))) as number);
  expect(await processReceived(ctx, ids)).toEqual(new Map());
  const rows = await Promise.all(ids.map(desk.row));
  expect(rows.map(({ state }) => state)).toEqual(['ticket', 'ticket', 'ticket', 'ticket', 'reply', 'ticket']);
  const tickets = rows.filter(({ state }) => state === 'ticket').map(({ ticket_id }) => ticket_id as number);
  expect(tickets.toSorted((one, other) => one - other)).toEqual(tickets);
  const { rows: found } = await sql`
    select t.subject, v.name, v.email, m.received_id, a.actor_kind, a.actor_id = v.id as is_own,
      exists (select from ticket_words w where w.site_id = t.site_id and w.ticket_id = t.id
        and w.words @@ quote_literal(${ctx.site.id} || ':' || v.name)::tsquery) as is_found,
      exists (select from report_dirty_records d where d.site_id = t.site_id and d.record = t.id::text) as is_counted
    from tickets t join visitors v on v.site_id = t.site_id and v.id = t.requester_id
      join ticket_mails m on m.site_id = t.site_id and m.ticket_id = t.id and m.reply_id is null
      join audit_entries a on a.site_id = t.site_id and a.subject = 'ticket' and a.subject_id = t.id and a.action = 'created'
    where t.site_id = ${ctx.site.id} and t.id = any (${tickets}::bigint[]) order by t.id`.execute(ground.db);
  expect(found).toEqual(
    ['ann', 'bob', 'dan', 'eve', 'gus'].map((name, at) => ({
      subject: `From ${name}`,
      name,
      email: `${name}@customer.example`,
      received_id: ids[at < 4 ? at : 5],
      actor_kind: 'visitor',
      is_own: true,
      is_found: true,
      is_counted: true,
    })),
  );
  expect(await desk.ticket(tickets[2] ?? 0)).toMatchObject({
    requester_id: (await desk.ticket(known.ticket_id as number)).requester_id,
  });
  expect(await eventsOf(ctx)).toEqual([
    ...['visitor_identified dan', 'ticket_created From dan'],
    ...['ann', 'bob', 'eve'].map((name) => `visitor_identified ${name}`),
    ...['ann', 'bob', 'dan', 'eve'].map((name) => `ticket_created From ${name}`),
    ...['visitor_identified gus', 'ticket_created From gus'],
  ]);
});

it('a mail that cannot be processed blocks no other of its batch, and waits for a retry', async () => {
  const desk = await start();
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(
    ground.db,
  );
  await sql`create trigger refuse before insert on ticket_mails for each row when (new.subject = 'Bad')
    execute function refuse()`.execute(ground.db);
  const ids: number[] = [];
  for (const Subject of ['Good', 'Bad', 'Better']) ids.push((await desk.store(mail({ Subject }))) as number);
  const failures = await processReceived(desk.ctx, ids);
  await sql`drop trigger refuse on ticket_mails`.execute(ground.db);
  expect([...failures.keys()]).toEqual([ids[1]]);
  const states = async () =>
    (await Promise.all(ids.map(desk.row))).map(({ state, detail }) => detail ?? state);
  expect(await states()).toEqual(['ticket', 'refused', 'ticket']);
  await processReceived(desk.ctx, ids);
  expect(await states()).toEqual(['ticket', 'ticket', 'ticket']);
});

it('copies are sent to no mailbox of the site, under any of its addresses, and to everybody else', async () => {
  const desk = await start();
  const domain = desk.address.split('@')[1] ?? '';
  const plain = await desk.addMailbox(`sales@${domain}`);
  const { db, services, site } = desk.ctx;
  await db.updateTable('mailboxes').set({ has_plus_addresses: false }).where('id', '=', plain).execute();
  const signed = replyAddressOf(services, `sales@${domain}`, 'ticket', site.id, 7);
  const cc = [`help+vip@${domain}`, `Sales@${domain}`, signed, `sales+vip@${domain}`, 'sam@customer.example'];
  const { ticket_id } = await desk.receive(mail({ To: desk.address, Cc: cc.join(', ') }));
  const ticket = await db
    .selectFrom('tickets')
    .select('cc_list')
    .where('id', '=', ticket_id as number)
    .executeTakeFirstOrThrow();
  expect(ticket.cc_list).toEqual([
    { name: null, address: `sales+vip@${domain}` },
    { name: null, address: 'sam@customer.example' },
  ]);
});

it('a mail with 25 MB of files is accepted as mail programs encode it', async () => {
  const lines = Buffer.alloc(25 * 1024 * 1024, 'lamp')
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n');
  const headers = {
    'Content-Type': 'application/zip; name="lamp.zip"',
    'Content-Transfer-Encoding': 'base64',
    'Content-Disposition': 'attachment; filename="lamp.zip"',
  };
  const { files } = await parseMail(Buffer.from(`${mail(headers, '')}${lines}\r\n`));
  expect(files.map(({ content }) => content.length)).toEqual([25 * 1024 * 1024]);
});
