import { contract, type OperationName } from '@foyer/protocol';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SiteContext } from '../src/core/context.ts';
import { openDatabase } from '../src/db/database.ts';
import { operations, runOperation } from '../src/registry.ts';
import { ruleLooks } from '../src/rules/engine/looks.ts';
import { type Ground, openGround } from './ground.ts';
import { type Filled, fillSite } from './plan-data.ts';
import { noteStatements, planFaults, type Sent } from './plan-reading.ts';

// How PostgreSQL runs every list with every filter in every order: by an index, and no further than a page needs.

/** Tables with a limit per site, small enough to be read as a whole. */
const SMALL = new Set([
  // Agents.
  'agents',
  'invitations',
  // Each agent's choices, ten browsers of each, and their sign-ins.
  'notification_choices',
  'push_devices',
  'auth_sessions',
  // 200 per site.
  'api_tokens',
  'fields',
  'teams',
  'sla_policies',
  'proactive_messages',
  'team_members',
  'macros',
  // 100, 500, 20, 200, 200.
  'saved_views',
  'webhook_subscriptions',
  'webhook_leases',
  'conversation_starters',
  'segments',
  'mailboxes',
  // One row per site, found by the primary key.
  'mail_settings',
  // 50, 50, and 20 per set.
  'question_sets',
  'handoff_rules',
  'actions',
  'evaluations',
  // Written by people; the bot's index of all of a site's articles is in memory.
  'articles',
  'categories',
  'training_rows',
  'knowledge_sources',
  'knowledge_documents',
]);
/** How many hits a search sorts (tickets/search-list.ts); nothing else sorts nearly as many. */
const SORTED_MAX = 5_001;
/** How many of its hits a search reads (tickets/search-list.ts). */
const READ_MAX = 6_000;
/** How many hits an inbox search reads with a selective filter (inbox/found-chats.ts, tickets/search-list.ts). */
const SEARCHED_MAX = 20_000;
/** The sums of 90 days by measure, state and step, and of as many days before. */
const SUMS_READ_MAX = 20_000;
/** How many rows a view's count reads (tickets/view-counts.ts). */
const COUNTED_MAX = 20_000;

/** What a report may read: never a chat or a ticket. */
const SUMS = [
  'sites',
  'report_sites',
  'report_days',
  'usage_days',
  'agents',
  'tags',
  'teams',
  'sla_policies',
];

const PAGING = new Set(['limit', 'cursor', 'order', 'sort']);

type Samples = Readonly<Record<string, (filled: Filled) => readonly unknown[]>>;

const TICKET_FILTER: Samples = {
  assignee_id: ({ agentId }) => [agentId, 'none'],
  team_id: ({ teamId }) => [teamId, 'none'],
  tag: () => ['tag 1', 'tag 2', 'no such tag'],
  fields: () => [
    ...['common', 'rare 7', 'nothing'].map((value) => [
      { custom_field: value === 'common' ? 'field_1' : 'field_2', op: 'eq', value },
    ]),
    [{ custom_field: 'field_2', op: 'contains', value: 'nothing' }],
    [{ custom_field: 'field_1', op: 'ne', value: 'common' }],
    [{ custom_field: 'field_3', op: 'set' }],
    [{ custom_field: 'field_1', op: 'unset' }],
  ],
  requester_key: () => ['user_1', 'user_2', 'nobody'],
  q: () => ['ticket', 'k3', 'm12', 'n77', 'u99', 'nothing', 'ticket m12', 'k3 m12', 'ti'],
  since: () => ['2020-01-01', new Date(Date.now() - 3_600_000).toISOString()],
  updated_since: () => ['2020-01-01', new Date(Date.now() - 3_600_000).toISOString()],
};
const SINCE = { since: TICKET_FILTER.since ?? (() => []) };

/** Filters of both lists of the mail log. */
const LOGGED: Samples = {
  mailbox_id: () => [1, 7],
  address: () => ['visitor7@example.com', 'nobody@example.com'],
  q: () => ['Subject', 'nothing'],
  since: () => ['2020-01-01', new Date(Date.now() - 3_600_000).toISOString(), '2100-01-01'],
  until: () => ['2020-01-01', new Date(Date.now() - 3_600_000).toISOString()],
};

/** Filters of the inbox's lists. */
const INBOX_FILTER: Samples = {
  page: () => ['/cart', 'nowhere'],
  language: () => ['de', 'uk'],
  segment: () => [1],
};

const READ_MOST: Partial<Record<OperationName, number>> = {
  'saved_views.list': COUNTED_MAX,
  'inbox.search': SEARCHED_MAX,
  // The sums show on which days its records are.
  'reports.conversations': SUMS_READ_MAX,
  // The 2,000 of a queue with the latest activity (tickets/views/view-counts.ts).
  'inbox_views.list': 2_500,
};

/** Sample values of each filter, except for choices and booleans, which the schema lists. */
const SAMPLES: Readonly<Record<string, Samples>> = {
  'tickets.list': { ...TICKET_FILTER, id: ({ ticketId }) => [ticketId], view: () => [1, 2] },
  // Its statements are those of `tickets.list`, where all of these are tested.
  'inbox.filtered': {
    ...Object.fromEntries(Object.keys(TICKET_FILTER).map((field) => [field, () => []])),
    priority: () => [],
    status: () => ['open'],
    sort: () => ['-created'],
    view: () => [1],
  },
  'sessions.list': { ...TICKET_FILTER, ...INBOX_FILTER },
  'inbox.tickets': { ...TICKET_FILTER, ...INBOX_FILTER },
  // Its statements are those of `sessions.list` and `inbox.search`, except for those of a visitor.
  'conversations.list': {
    ...SINCE,
    updated_since: TICKET_FILTER.updated_since ?? (() => []),
    session_id: ({ sessionId }) => [sessionId],
    assignee_id: ({ agentId }) => [agentId],
    team_id: ({ teamId }) => [teamId],
    tag: () => ['tag 1'],
    fields: () => [[{ custom_field: 'field_2', op: 'eq', value: 'rare 7' }]],
    key: () => ['user_7', 'nobody'],
    visitor_id: () => [7],
    q: () => [],
    ...INBOX_FILTER,
  },
  'conversation_notes.list': { session_id: ({ sessionId }) => [sessionId] },
  'conversation_messages.list': { session_id: ({ sessionId }) => [sessionId], after_seq: () => [0, 3] },
  'inbox.search': {
    ...TICKET_FILTER,
    ...INBOX_FILTER,
    q: () => ['word', 'm12', 'nothing', 'Visitor 9f'],
    assignee_id: ({ agentId }) => [agentId, 'none'],
    team_id: ({ teamId }) => [teamId, 'none'],
    view: () => [1],
  },
  'audit.list': { ...SINCE, agent_id: () => [1] },
  'tickets.history': { id: ({ ticketId }) => [ticketId] },
  'portal_links.list': { ticket_id: ({ ticketId }) => [ticketId] },
  'macros.list': { id: () => [1] },
  'saved_views.list': { id: () => [1] },
  'fields.list': { id: () => [1], applies_to: () => ['tickets'], state: () => ['all'] },
  'rules.list': { id: () => [1] },
  'rule_runs.list': {
    rule_id: () => [1],
    ticket_id: ({ ticketId }) => [ticketId],
    session_id: ({ sessionId }) => [sessionId],
    outcome: () => ['failed'],
  },
  'sla_policies.list': { id: () => [1] },
  'proactive_messages.list': { id: () => [1] },
  'teams.list': { id: () => [1], member_id: ({ agentId }) => [agentId], state: () => ['all'] },
  'segments.list': { id: () => [1] },
  'handoffs.list': SINCE,
  'feedback.list': SINCE,
  'training_rows.list': { q: () => ['Question 9', 'nothing at all'] },
  'knowledge_sources.list': { id: () => [1] },
  'knowledge_documents.list': { source_id: () => [1] },
  'article_versions.list': { article_id: ({ articleId }) => [articleId] },
  'articles.list': {
    id: ({ articleId }) => [articleId],
    q: () => ['About 9f', 'article', 'nothing at all'],
    category: () => ['Category 1', 'None'],
  },
  'visitors.find': {
    key: () => ['user_7'],
    email: () => ['visitor7@example.com'],
    q: () => ['Visitor 9f', 'visitor77', 'vistor77', 'user_77', 'nobody at all', 'zz'],
    segment: () => [1],
  },
  'visitors.timeline': { key: () => ['user_7'] },
  'visitors.list': {
    q: () => ['Visitor 9f', 'user_77', 'nobody at all'],
    segment: () => [1],
    first_seen_since: () => ['2020-01-01', '2100-01-01'],
    first_seen_until: () => ['2020-01-01', '2100-01-01'],
    last_seen_since: () => ['2020-01-01', '2100-01-01'],
    last_seen_until: () => ['2020-01-01', '2100-01-01'],
    attribute: () => [{ name: 'plan', value: 'pro' }, { name: 'plan', value: 'none' }, { name: 'nothing' }],
  },
  // Custom dates are covered: the named ranges resolve to dates, too.
  'reports.comments': {
    rating: () => [1, 5],
    team_id: ({ teamId }) => [teamId],
    range: () => ['today', '90d'],
    from: () => [],
    to: () => [],
  },
  'reports.conversations': {
    of: () => ['closed', 'nothing'],
    part: () => [3],
    team_id: ({ teamId }) => [teamId],
    weekday: () => [2],
    range: () => ['today', '90d'],
    from: () => [],
    to: () => [],
  },
  'set_questions.list': { set_id: ({ setId }) => [setId] },
  'evaluation_results.list': {
    evaluation_id: ({ evaluationIds }) => [evaluationIds[1]],
    compare_id: ({ evaluationIds }) => [evaluationIds[0]],
  },
  'action_calls.list': {
    action_id: ({ actionId }) => [actionId],
    session_id: ({ sessionId }) => [sessionId],
  },
  'mailboxes.list': { id: () => [1] },
  'received_mails.list': {
    ...LOGGED,
    id: () => [1],
    ticket_id: ({ ticketId }) => [ticketId],
    reason: () => ['spam', 'nothing'],
  },
  'sent_mails.list': { ...LOGGED, id: () => [1], ticket_id: ({ ticketId }) => [ticketId] },
  'webhook_subscriptions.list': { id: ({ subscriptionId }) => [subscriptionId] },
  'webhook_deliveries.list': { ...SINCE, subscription_id: ({ subscriptionId }) => [subscriptionId] },
};

const inputSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({ enum: z.array(z.unknown()).optional(), type: z.unknown().optional() }),
  ),
  required: z.array(z.string()).default([]),
});

interface Fields {
  /** The values of each field to try. */
  required: [field: string, values: readonly unknown[]][];
  optional: [field: string, values: readonly unknown[]][];
  orders: Record<string, unknown>[];
}

function fieldsOf(name: OperationName, filled: Filled): Fields {
  const schema = z.toJSONSchema(contract[name].input, { io: 'input', unrepresentable: 'any' });
  const { properties, required } = inputSchema.parse(schema);
  const valuesOf = (field: string): readonly unknown[] => {
    const { enum: choices, type } = properties[field] ?? {};
    const values =
      SAMPLES[name]?.[field]?.(filled) ?? choices ?? (type === 'boolean' ? [true, false] : undefined);
    if (!values) throw new Error(`${name} has a field ${field} that SAMPLES has no values for`);
    return values;
  };
  const filters = Object.keys(properties).filter((field) => !PAGING.has(field));
  const withValues = (fields: string[]): [string, readonly unknown[]][] =>
    fields.map((field) => [field, valuesOf(field)]);
  const sorted = ['sort', 'order'].find((field) => field in properties);
  return {
    required: withValues(filters.filter((field) => required.includes(field))),
    optional: withValues(filters.filter((field) => !required.includes(field))),
    orders: sorted === undefined ? [{}] : valuesOf(sorted).map((value) => ({ [sorted]: value })),
  };
}

type Input = Record<string, unknown>;

/** Each optional filter alone, with each choice of the required ones, in each order. */
function inputsOf(name: OperationName, filled: Filled): Input[] {
  const { required, optional, orders } = fieldsOf(name, filled);
  let bases: Input[] = [{}];
  for (const [field, values] of required)
    bases = bases.flatMap((base) => values.map((value) => ({ ...base, [field]: value })));
  const filters = [{}, ...optional.flatMap(([field, values]) => values.map((value) => ({ [field]: value })))];
  return bases.flatMap((base) =>
    filters.flatMap((filter) => orders.map((order) => ({ limit: 25, ...base, ...filter, ...order }))),
  );
}

const pageSchema = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullable() });
const isList = (name: OperationName): boolean => {
  const { output } = contract[name];
  const options = output instanceof z.ZodUnion ? output.options : [output];
  return options.some((one) => one instanceof z.ZodObject && 'next_cursor' in one.shape);
};
const lists = operations.filter(({ name }) => isList(name));

let ground: Ground;
let ctx: SiteContext;
let filled: Filled;
let sent: Sent[];
let reader: pg.Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ground = await openGround();
  const { site } = await ground.makeSite();
  const patient = openDatabase(ground.url, { patient: true });
  filled = await fillSite(ground.contextOf(site.id, { db: patient.db })).finally(patient.close);
  const database = openDatabase(ground.url, { max: 1 });
  sent = noteStatements(database.pool);
  reader = new pg.Client({ connectionString: ground.url });
  await reader.connect();
  close = async () => {
    await reader.end();
    await database.close();
  };
  ctx = ground.contextOf(site.id, {
    db: database.db,
    actor: { kind: 'agent', agentId: filled.agentId, name: 'Ada', role: 'admin' },
  });
  await makeFew();
});
afterAll(async () => {
  await close();
  await ground.close();
});

/** Creates views and other records that a site has few of; in a new database their ids begin at 1. */
async function makeFew(): Promise<void> {
  const views = [
    { name: 'Urgent', filter: { status: 'open', priority: 'urgent' }, sort: '-priority' },
    { name: 'Late', filter: { assignee_id: 'none', updated_since: '2020-01-01' }, sort: 'updated' },
  ];
  for (const view of views) await run('saved_views.create', view);
  const { tag } = TICKET_FILTER;
  const filters = [
    {},
    { queue: 'open' },
    { queue: 'mine', priority: 'high' },
    { queue: 'unassigned', segment: 1 },
    { queue: 'snoozed', created_within: '7d' },
    { queue: 'open', page: '/cart' },
    { queue: 'closed', language: 'de' },
    { status: 'open', assignee_id: filled.agentId, active_within: '90d' },
    ...(tag?.(filled) ?? []).map((name) => ({ queue: 'open', tag: name })),
  ];
  // Creating them by the operation would cache their counts, and nothing would be counted below.
  const rows = filters.map((filter, at) => ({
    site_id: ctx.site.id,
    name: 'x',
    owner_id: at % 2 === 0 ? filled.agentId : null,
    kind: 'inbox' as const,
    filter: JSON.stringify(filter),
    sort: 'newest' as const,
  }));
  await ctx.db.insertInto('saved_views').values(rows).execute();
  await sql`
    insert into knowledge_sources (site_id, kind, address, created_at)
    select ${ctx.site.id}, 'file', n || '.pdf', now() from generate_series(1, 100) n`.execute(ctx.db);
  await sql`
    insert into knowledge_documents (site_id, source_id, address, title, created_at)
    select ${ctx.site.id}, id, address, address, now() from knowledge_sources`.execute(ctx.db);
  await run('macros.create', { name: 'Thanks', actions: [{ type: 'note', body: 'Thanks' }] });
}

function run(name: string, input: unknown): Promise<unknown> {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no operation ${name}`);
  return runOperation(operation, ctx, input);
}

const isQuery = ({ text }: Sent): boolean => /^(\/\* prepared \*\/)?[\s(]*(select|with)\b/i.test(text);

const isSetting = ({ text }: Sent): boolean => text.startsWith('select set_config');

/** Runs a list's first and second page, and names the faults of their statements' plans. */
async function faultsOf(
  name: OperationName,
  input: Input,
  read = READ_MOST[name] ?? READ_MAX,
): Promise<string[]> {
  const bounds = { small: SMALL, sorted: SORTED_MAX, read };
  sent.length = 0;
  const first = pageSchema.safeParse(await run(name, input));
  if (first.success && first.data.next_cursor !== null)
    await run(name, { ...input, cursor: first.data.next_cursor });
  const faults: string[] = [];
  await reader.query('begin');
  for (const one of [...sent]) {
    if (isSetting(one)) await reader.query(one.text, one.values);
    else if (isQuery(one)) faults.push(...(await planFaults(reader, one, bounds)));
    // A transaction's planner settings end with it.
    else if (one.text === 'commit') await reader.query('rollback').then(() => reader.query('begin'));
  }
  await reader.query('rollback');
  return faults.length === 0 ? [] : [`${JSON.stringify(input)}: ${[...new Set(faults)].join(', ')}`];
}

describe.each(lists.map(({ name }) => name))('%s', (name) => {
  it('is read by an index with each filter in each order, and no further than a page needs', async () => {
    const faults: string[] = [];
    for (const input of inputsOf(name, filled)) faults.push(...(await faultsOf(name, input)));
    expect(faults).toEqual([]);
  });
});

const reports = operations.filter(({ name }) => name.startsWith('reports.') && !isList(name));

describe.each(reports.map(({ name }) => name))('%s', (name) => {
  it('is read from sums of its days alone', async () => {
    sent.length = 0;
    await run(name, {
      range: '90d',
      ...(['reports.export', 'reports.get'].includes(name) ? { report: 'responses' } : {}),
    });
    const bounds = { small: SMALL, sorted: SUMS_READ_MAX, read: SUMS_READ_MAX };
    const faults: string[] = [];
    for (const one of sent.filter(isQuery)) faults.push(...(await planFaults(reader, one, bounds)));
    expect(faults).toEqual([]);
    const tables = sent.flatMap(({ text }) =>
      [...text.matchAll(/(?:from|join) "?(\w+)"?/g)].map(([, to]) => to),
    );
    expect(tables.filter((table) => !SUMS.includes(table ?? ''))).toEqual([]);
  });
});

describe('the views of the desk', () => {
  it('are counted by indexes, over a limited number of rows', async () => {
    expect(await faultsOf('inbox_views.list', {})).toEqual([]);
  });
});

/** Operations that aren't lists, but would grow with the site, and how many rows of a table each step may read. */
const BOUNDED: readonly (readonly [OperationName, Input, number])[] = [
  // The newest 2,000.
  ['visitor_fields.list', {}, 2_000],
  ['notifications.list', {}, 200],
  // A part of 2,000.
  ['visitors.export', { columns: ['plan'] }, 2_001],
  ['visitors.export', { columns: ['plan'], attribute: { name: 'plan', value: 'pro' } }, 5_000],
  // Counts 10,000, and reads 25 places at once.
  ['segments.preview', { rule: { all: [{ attribute: 'plan', op: 'eq', value: 'free' }] } }, 10_001],
  ['segments.preview', { rule: { all: [{ event: 'looked', op: 'gte', count: 2 }] } }, 10_001],
  ['usage.storage', {}, 5_001],
  // The rows that a search of chats reads.
  ['bulk_changes.count', { of: { search: { q: 'ticket' } }, most: 1_000 }, 2_501],
  ['bulk_changes.count', { of: { search: { q: 'k3 ticket' } }, most: 1_000 }, 2_501],
  ['bulk_changes.count', { of: { queue: 'open' }, most: 1_000 }, 2_501],
];

describe.each(BOUNDED)('%s of %j', (name, input, read) => {
  it('reads no more of a large site', async () => {
    expect(await faultsOf(name, input, read)).toEqual([]);
  });
});

describe.each(['ticket_idle', 'ticket_waiting'] as const)('a look of a rule on %s', (on) => {
  it('reads tickets that became due since its last run, and no other', async () => {
    const trigger = JSON.stringify({ on, minutes: 60 });
    const { rows } = await sql<{ id: number }>`
      insert into rules (site_id, name, position, trigger, events, actions, enabled_at, looked_at, look_at)
      values (${ctx.site.id}, ${`timed ${on}`}, 1, ${trigger}, array[${on}::text], '[]', now(), now() - interval '30 minutes', now())
      returning id`.execute(ctx.db);
    sent.length = 0;
    await ruleLooks.run(ctx, rows[0]?.id ?? 0);
    const bounds = { small: new Set(['rules']), sorted: 200, read: 200 };
    const faults: string[] = [];
    const looked = sent.filter((one) => isQuery(one) && one.text.includes('tickets'));
    for (const one of looked) faults.push(...(await planFaults(reader, one, bounds)));
    expect([looked.length, faults]).toEqual([2, []]);
  });
});

describe('the reading of plans', () => {
  const bounds = { small: new Set<string>(), sorted: 1_000, read: READ_MAX };

  it('finds a table that is read as a whole, and a sort of all of it', async () => {
    const text = 'select id from tickets order by md5(subject) limit 25';
    expect(await planFaults(reader, { text, values: [] }, bounds)).toEqual(
      expect.arrayContaining(['reads all of tickets', expect.stringMatching(/^sorts \d+ rows$/)]),
    );
  });

  it('finds a statement that PostgreSQL would compile', async () => {
    // Estimated at a hundred million rows, but empty.
    const text = "select from jsonb_each('{}') a, jsonb_each('{}') b, jsonb_each('{}') c, jsonb_each('{}') d";
    expect(await planFaults(reader, { text, values: [] }, bounds)).toEqual([
      expect.stringMatching(/and compiled$/),
    ]);
  });

  it('finds an index scan that reads many rows in vain', async () => {
    const text =
      'select id from tickets where site_id = $1 and not snoozed and subject = $2 order by created_at, id limit 25';
    await reader.query('set enable_seqscan = off');
    const faults = await planFaults(reader, { text, values: [ctx.site.id, 'none'] }, bounds);
    await reader.query('set enable_seqscan = on');
    expect(faults).toEqual([expect.stringMatching(/^reads \d+ rows of tickets/)]);
  });
});
