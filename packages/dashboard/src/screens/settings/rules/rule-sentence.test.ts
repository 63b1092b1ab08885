import {
  type ConditionGroup,
  inboxFilterFields,
  type RecordCondition,
  type RuleAction,
  type RuleTrigger,
  ruleAction,
} from '@foyer/protocol';
import {
  CHANGED_FIELDS,
  MESSAGE_SENDERS,
  REPLY_SENDERS,
  RULE_EVENTS,
} from '@foyer/protocol/values/rules/rule-triggers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { speak } from '../../../language.ts';
import { ruleSentence as conditionClause } from '../../visitors/segments/rule-words.ts';
import { newStep, RULE_STEPS, TO_CHOOSE } from '../macros/steps.ts';
import { missingIn } from './missing-records.ts';
import { actionClause, ruleSentence, triggerClause } from './rule-sentence.ts';
import { conditionFaults, inputOf, isComplete, valuesOf } from './rule-values.ts';
import { plainTrigger } from './TriggerFields.tsx';
import { TEMPLATE_NAMES, templateOf } from './templates.ts';

beforeAll(() => speak('en'));

const names = {
  agent: (id: number) => (id === 7 ? 'Ada' : undefined),
  team: (id: number) => (id === 3 ? 'Sales' : undefined),
  segment: (id: number) => (id === 5 ? 'Wholesale' : undefined),
  field: (key: string) => (key === 'order' ? 'Order number' : undefined),
  webhook: (id: number) => (id === 2 ? 'Shop' : undefined),
};
/** Without the marks that keep each part's direction. */
const plain = (text: string): string => text.replace(/[\u2068\u2069]/g, '');

/** That each is said, in words of its own, with all its gaps filled. */
function expectSaid(clauses: readonly string[]): void {
  for (const clause of clauses) expect(clause).toMatch(/^[^{}]*\p{L}[^{}]*$/u);
  expect(new Set(clauses).size).toBe(clauses.length);
}

const VALUES: Record<Exclude<keyof typeof inboxFilterFields, 'fields'>, readonly unknown[]> = {
  channel: ['chat', 'ticket'],
  status: ['solved', 'waiting'],
  priority: ['urgent'],
  assignee_id: ['none', 7, 8],
  team_id: ['none', 3, 4],
  tag: ['vip'],
  due: ['late', 'soon'],
  created_within: ['1d', '7d', '30d', '90d'],
  active_within: ['1d', '7d', '30d', '90d'],
  page: ['/pricing'],
  language: ['de'],
  segment: [5, 6],
};

describe.each(['en', 'de'] as const)('in %s', (language) => {
  beforeEach(() => speak(language));

  test('every trigger has a clause', () => {
    const triggers: RuleTrigger[] = [
      ...RULE_EVENTS.map(plainTrigger),
      { on: 'page_viewed', page: '/pricing' },
      { on: 'event_tracked', name: 'order' },
      ...CHANGED_FIELDS.map((field): RuleTrigger => ({ on: 'ticket_updated', changed: [field] })),
      ...REPLY_SENDERS.map((from): RuleTrigger => ({ on: 'ticket_replied', from })),
      ...MESSAGE_SENDERS.map((from): RuleTrigger => ({ on: 'message_created', from })),
    ];
    expectSaid(triggers.map(triggerClause));
  });

  test('every action has a clause, and is offered', () => {
    const kinds = ruleAction.options.flatMap(({ shape: { type } }): RuleAction['type'][] =>
      'options' in type ? type.options : [type.value],
    );
    expect(RULE_STEPS.toSorted()).toEqual(kinds.toSorted());
    const others: RuleAction[] = [
      { type: 'assign', assignee_id: 7 },
      { type: 'assign', assignee_id: 8 },
      { type: 'assign_team', team_id: 3 },
      { type: 'assign_team', team_id: 4 },
      { type: 'assign_team', team_id: TO_CHOOSE },
      { type: 'set_field', field: 'order', value: 'A-1' },
      { type: 'send_email', team_id: 3, subject: 'Look', body: 'Here' },
      { type: 'call_webhook', webhook_id: 2 },
    ];
    expectSaid(
      [...kinds.map((kind) => newStep(kind)), ...others].map((action) => actionClause(action, names)),
    );
  });

  test('every condition has a clause', () => {
    const { fields: _, ...known } = inboxFilterFields;
    const fields = Object.keys(known) as (keyof typeof VALUES)[];
    expect(Object.keys(VALUES).toSorted()).toEqual(fields.toSorted());
    const parts = fields.flatMap((field) =>
      VALUES[field].map((value) => ({ [field]: value }) as RecordCondition),
    );
    const others: RecordCondition[] = [
      { contains: 'refund' },
      { event: 'paid', op: 'gte', count: 2, within_days: 30 },
      ...(['eq', 'ne', 'contains'] as const).map((op) => ({ attribute: 'plan', op, value: 'pro' })),
      ...(['gt', 'lt'] as const).map((op) => ({ attribute: 'seats', op, value: 3 })),
      ...(['set', 'unset'] as const).map((op) => ({ attribute: 'plan', op })),
      ...(['eq', 'ne', 'contains'] as const).map((op) => ({ custom_field: 'order', op, value: 'A-1' })),
      ...(['gt', 'lt'] as const).map((op) => ({ custom_field: 'order', op, value: 3 })),
      ...(['set', 'unset'] as const).map((op) => ({ custom_field: 'order', op })),
    ];
    expectSaid([...parts, ...others].map((part) => conditionClause(part, names)));
  });

  test('every template is a complete rule, except for the choice of a team', () => {
    const templates = TEMPLATE_NAMES.map((name) => templateOf(name) ?? expect.fail(name));
    expect(templates).toHaveLength(15);
    expectSaid(templates.map(({ name }) => name));
    for (const template of templates) {
      expect(plain(ruleSentence(template, names))).toMatch(/^\p{Lu}.*\.$/u);
      const values = valuesOf(template);
      expect(conditionFaults(values)).toEqual([]);
      const isToChoose = template.actions.some((action) => 'team_id' in action);
      expect(isComplete(values)).toBe(!isToChoose);
      expect(inputOf(values)).toEqual(template);
    }
  });
});

test('a rule reads as a sentence', async () => {
  await speak('en');
  const trigger: RuleTrigger = { on: 'conversation_started' };
  const actions: RuleAction[] = [
    { type: 'assign_team', team_id: 3 },
    { type: 'add_tags', tags: ['lead'] },
  ];
  expect(plain(ruleSentence({ trigger, conditions: null, actions }, names))).toBe(
    'When a chat starts, assign it to the team Sales and add the tag lead.',
  );
  const conditions: ConditionGroup = { all: [{ language: 'de' }, { page: '/pricing' }] };
  expect(plain(ruleSentence({ trigger, conditions, actions }, names))).toBe(
    'When a chat starts, if the language is German and the page contains /pricing, assign it to the team Sales and add the tag lead.',
  );
  const nested: ConditionGroup = {
    all: [
      { custom_field: 'email', op: 'eq', value: 'x' },
      { language: 'de' },
      { any: [{ tag: 'vip' }, { none: [{ status: 'closed' }, { priority: 'low' }] }] },
    ],
  };
  expect(
    plain(
      ruleSentence(
        {
          trigger: { on: 'ticket_updated', changed: ['status', 'team'] },
          conditions: nested,
          actions: [{ type: 'remove_tags', tags: ['a', 'b'] }],
        },
        names,
      ),
    ),
  ).toBe(
    'When the status or team of a ticket changes, if email is “x”, the language is German, and (it is tagged vip or not (the status is Closed or the priority is Low)), remove the tags a and b.',
  );
  const words: ConditionGroup = { any: [{ contains: 'price' }, { tag: 'vip' }, { contains: 'discount' }] };
  expect(plain(conditionClause(words, names))).toBe(
    'the subject or last message contains “price” or “discount” or it is tagged vip',
  );
  const values = valuesOf({ name: 'Nested', final: true, trigger, conditions: nested, actions });
  expect(inputOf(values)).toEqual({ name: 'Nested', final: true, trigger, conditions: nested, actions });
});

test('deleted records that a rule refers to are named, and none while they are loading', () => {
  const rule = {
    conditions: {
      all: [
        { any: [{ tag: 'VIP' }, { tag: 'gone' }] },
        { attribute: 'plan', op: 'set' },
        { attribute: 'email', op: 'set' },
        { custom_field: 'order', op: 'set' },
        { custom_field: 'old', op: 'eq', value: 'x' },
        { assignee_id: 'none', segment: 6 },
      ],
    } as ConditionGroup,
    actions: [
      { type: 'assign', assignee_id: 8 },
      { type: 'assign_team', team_id: 3 },
      { type: 'assign_team', team_id: 4 },
      { type: 'assign_team', team_id: null },
      { type: 'add_tags', tags: ['new'] },
      { type: 'remove_tags', tags: ['gone'] },
      { type: 'call_webhook', webhook_id: 9 },
    ] as RuleAction[],
  };
  const known = {
    agents: [7],
    teams: [3],
    segments: [5],
    tags: ['vip'],
    attributes: ['seats'],
    webhooks: [2],
    fields: ['order'],
  };
  expect(missingIn(rule, known)).toEqual([
    { kind: 'tag', name: 'gone' },
    { kind: 'attribute', name: 'plan' },
    { kind: 'field', name: 'old' },
    { kind: 'segment' },
    { kind: 'agent' },
    { kind: 'team' },
    { kind: 'webhook' },
  ]);
  const nothing = {
    agents: undefined,
    teams: undefined,
    segments: undefined,
    tags: undefined,
    attributes: undefined,
    webhooks: undefined,
    fields: undefined,
  };
  expect(missingIn(rule, nothing)).toEqual([]);
});
