import { contract, type InputOf, type Ticket } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { addAgentNamed, type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { createToken } from '../../sites/tokens/api-tokens.ts';
import { lockTicket, presentTicket } from '../tickets.ts';
import { applyMacro, readyMacro } from './apply.ts';
import { createMacro } from './macros.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

type Actions = InputOf<'macros.create'>['actions'];
let made = 0;
const macroOf = async (...actions: Actions): Promise<number> => {
  const input = contract['macros.create'].input.parse({ name: `macro ${++made}`, actions });
  return (await createMacro(desk.ctx, input)).id;
};

async function apply(ticketId: number, macroId: number, ctx: SiteContext = desk.ctx): Promise<Ticket> {
  const macro = await readyMacro(ctx, macroId);
  return ctx.transaction(async (tx) =>
    presentTicket(await applyMacro(tx, await lockTicket(tx, ticketId), macro)),
  );
}

const bodies = async (id: number) => (await desk.get(id)).replies.map(({ body }) => body);

test('runs its actions in their order and reports the ticket once, and each answer separately', async () => {
  const { id } = await desk.make({ tags: ['parcel', 'old'] });
  const macro = await macroOf(
    { type: 'assign', assignee_id: desk.ben.id },
    { type: 'reply', body: 'Hello {{visitor.name}}, this is #{{ticket.id}}.' },
    { type: 'note', body: 'Asked {{ visitor.email }} about "{{ticket.subject}}".' },
    { type: 'reply', body: '{{agent.name}}, {{site.name}}' },
    { type: 'add_tags', tags: ['waiting'] },
    { type: 'remove_tags', tags: ['OLD'] },
    { type: 'set_priority', priority: 'high' },
    { type: 'set_status', status: 'pending' },
    { type: 'snooze', minutes: 60 },
  );
  const after = await apply(id, macro);
  expect(after).toMatchObject({
    status: 'pending',
    priority: 'high',
    assignee: desk.ben,
    tags: ['parcel', 'waiting'],
    reply_count: 2,
    snoozed_until_utc: expect.any(String),
  });
  expect(await desk.get(id)).toMatchObject(after);
  expect(await bodies(id)).toEqual([
    `Hello Ann, this is #${id}.`,
    'Asked ann@example.com about "Where is it?".',
    'Ben, Shop',
  ]);
  const changes = {
    status: ['new', 'pending'],
    priority: ['normal', 'high'],
    assignee: [null, desk.ben],
    tags: [
      ['old', 'parcel'],
      ['parcel', 'waiting'],
    ],
    snoozed_until_utc: [null, after.snoozed_until_utc],
  };
  expect(await desk.events('ticket_updated')).toMatchObject([{ ticket_id: id, changes }]);
  expect(await desk.events('ticket_replied')).toHaveLength(2);
  expect(await desk.audit(id)).toEqual([
    ['created', {}],
    ['replied', {}],
    ['noted', {}],
    ['replied', {}],
    ['updated', changes],
  ]);
});

test('reports no field that it changed and changed back', async () => {
  const { id } = await desk.make();
  const macro = await macroOf(
    { type: 'set_priority', priority: 'urgent' },
    { type: 'add_tags', tags: ['a'] },
    { type: 'set_priority', priority: 'normal' },
    { type: 'remove_tags', tags: ['a'] },
  );
  expect(await apply(id, macro)).toMatchObject({ status: 'new', priority: 'normal', tags: [] });
  expect(await desk.events('ticket_updated')).toEqual([]);
  expect(await desk.audit(id)).toHaveLength(1);
});

test('whose third action is refused leaves nothing: no answer, no tag, no event, no word to find', async () => {
  const { id } = await desk.make();
  const macro = await macroOf(
    { type: 'reply', body: 'Xylophone' },
    { type: 'add_tags', tags: ['new-tag'] },
    { type: 'add_tags', tags: ['other-tag'] },
    { type: 'set_status', status: 'closed' },
    { type: 'note', body: 'Never written' },
  );
  const before = await desk.get(id);
  ground.notices.length = 0;
  await expect(apply(id, macro)).rejects.toMatchObject({
    code: 'conflict',
    message: 'A ticket can’t go from open to closed.',
  });
  expect(await desk.get(id)).toEqual(before);
  expect(await desk.events('ticket_updated')).toEqual([]);
  expect(await desk.events('ticket_replied')).toEqual([]);
  expect(await desk.audit(id)).toHaveLength(1);
  expect(ground.notices).toEqual([]);
  expect(await desk.list({ q: 'xylophone' })).toEqual([]);
  const tags = await desk.ctx.db
    .selectFrom('tags')
    .select('name')
    .where('site_id', '=', desk.ctx.site.id)
    .execute();
  expect(tags).toEqual([]);
});

test('that assigns to a removed agent is refused, and does nothing', async () => {
  const gone = await addAgentNamed(desk.ctx, 'Gone');
  const macro = await macroOf({ type: 'note', body: 'x' }, { type: 'assign', assignee_id: gone.id });
  await desk.ctx.db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', gone.id)
    .execute();
  const { id } = await desk.make();
  await expect(apply(id, macro)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('no longer on the team'),
  });
  expect(await bodies(id)).toEqual([]);
});

test('inserts a requester’s own text as it is: placeholders in it aren’t filled', async () => {
  const hostile = '{{visitor.email}} <script>{{agent.name}}</script> $1';
  const { id } = await desk.make({ subject: hostile, requester: { key: 'eve', name: '{{ticket.subject}}' } });
  await apply(id, await macroOf({ type: 'note', body: '{{visitor.name}}: {{ticket.subject}}' }));
  expect(await bodies(id)).toEqual([`{{ticket.subject}}: ${hostile}`]);
});

test('leaves no gap for an unknown name, and is refused if its text would be empty', async () => {
  const { id } = await desk.make({ requester: { key: 'nameless' } });
  await apply(id, await macroOf({ type: 'reply', body: 'Hello {{visitor.name}}, thanks.' }));
  expect(await bodies(id)).toEqual(['Hello, thanks.']);
  const empty = await macroOf({ type: 'reply', body: '{{visitor.name}} {{visitor.email}}' });
  await expect(apply(id, empty)).rejects.toMatchObject({ code: 'conflict' });
  expect(await bodies(id)).toHaveLength(1);
});

test('is refused if its text would be too long', async () => {
  const { id } = await desk.make({ subject: 'x'.repeat(200) });
  const macro = await macroOf({ type: 'note', body: '{{ticket.subject}}'.repeat(1_000) });
  await expect(apply(id, macro)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The macro’s text is too long once its variables are filled in.',
  });
});

test('signs as the agent who applies it; an automation as the assignee, else as the site', async () => {
  const macro = await macroOf({ type: 'reply', body: '{{agent.name}}' });
  const assigning = await macroOf(
    { type: 'assign', assignee_id: desk.ben.id },
    { type: 'reply', body: '{{agent.name}}' },
  );
  const operator = ground.contextOf(desk.ctx.site.id);
  const { id: tokenId } = await createToken(operator, { name: 'CI', scopes: 'read,write' });
  const token = desk.as({ actor: { kind: 'token', tokenId, canWrite: true, requestCount: 1 } });
  const { id } = await desk.make();
  await apply(id, macro);
  await apply(id, macro, token);
  await apply(id, assigning, token);
  expect(await bodies(id)).toEqual(['Ben', 'Shop', 'Ben']);
  expect((await desk.get(id)).replies).toMatchObject([
    { author: { type: 'agent', name: 'Ben' } },
    { author: { type: 'token', name: 'CI' } },
    { author: { type: 'token', name: 'CI' } },
  ]);
});

test('two at once on one ticket run one after the other', async () => {
  const { id } = await desk.make();
  const macros = await Promise.all([
    macroOf(
      { type: 'reply', body: 'a' },
      { type: 'add_tags', tags: ['a'] },
      { type: 'add_tags', tags: ['b'] },
    ),
    macroOf(
      { type: 'reply', body: 'b' },
      { type: 'add_tags', tags: ['b'] },
      { type: 'add_tags', tags: ['c'] },
    ),
  ]);
  await Promise.all([...macros, ...macros, ...macros].map((macro) => apply(id, macro)));
  expect(await desk.get(id)).toMatchObject({ reply_count: 6, tags: ['a', 'b', 'c'] });
});

test('macros that create the same new tags alternately, on different tickets, do not deadlock', async () => {
  const tickets = await Promise.all(Array.from({ length: 6 }, () => desk.make()));
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [`a${round}`, `b${round}`];
    const macros = await Promise.all([
      macroOf({ type: 'add_tags', tags: [a] }, { type: 'note', body: 'x' }, { type: 'add_tags', tags: [b] }),
      macroOf({ type: 'add_tags', tags: [b] }, { type: 'note', body: 'x' }, { type: 'add_tags', tags: [a] }),
    ]);
    const done = await Promise.allSettled(tickets.map(({ id }, at) => apply(id, macros[at % 2] ?? 0)));
    expect(done.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
});
