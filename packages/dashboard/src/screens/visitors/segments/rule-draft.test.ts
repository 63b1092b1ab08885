import type { SegmentRule } from '@foyer/protocol';
import { expect, test } from 'vitest';
import {
  draftOf,
  faultsOf,
  type GroupDraft,
  newAttribute,
  newEvent,
  newGroup,
  opsFor,
  type PartDraft,
  renamed,
  ruleOf,
  withPart,
} from './rule-draft.ts';

const asGroup = (draft: PartDraft): GroupDraft => {
  if (draft.type !== 'group') throw new Error('no group');
  return draft;
};

test('a stored rule is built anew as it was', () => {
  const rule: SegmentRule = {
    all: [
      { attribute: 'plan', op: 'eq', value: 'pro' },
      { attribute: 'seats', op: 'gt', value: 3 },
      { attribute: 'trial', op: 'ne', value: true },
      { attribute: 'last_seen_utc', op: 'lt', value: '2026-03-10' },
      { attribute: 'email', op: 'set' },
      {
        any: [
          { event: 'paid', op: 'gte', count: 2, within_days: 30 },
          { any: [{ event: 'left', op: 'lt', count: 1 }] },
        ],
      },
    ],
  };
  const draft = asGroup(draftOf(rule));
  expect(faultsOf(draft)).toEqual([]);
  expect(ruleOf(draft)).toEqual(rule);
});

test('each field that lacks something is named', () => {
  const [attribute, number, event] = [newAttribute(), newAttribute('seats'), newEvent('paid')];
  const draft = newGroup('all');
  draft.parts = [
    attribute,
    { ...number, kind: 'number', text: 'three' },
    { ...event, count: '0', days: '99999' },
    newGroup('any', []),
  ];
  expect(faultsOf(draft).map(({ field, fault }) => `${field} ${fault}`)).toEqual([
    ...['name name', 'value value', 'value number', 'count count', 'days days', 'parts empty'],
  ]);
});

test('another name keeps what makes sense for it', () => {
  const draft = { ...newAttribute('plan'), op: 'contains' as const, text: 'pro' };
  expect(renamed(draft, 'email', 'text')).toMatchObject({ op: 'contains', text: 'pro' });
  expect(renamed(draft, 'seats', 'number')).toMatchObject({ op: 'eq', kind: 'number', text: '' });
  expect(renamed(draft, 'last_seen_utc', 'date')).toMatchObject({ op: 'gt', text: '' });
  expect(opsFor('first_seen_utc', 'date')).toEqual(['gt', 'lt']);
});

test('a part is changed or taken away wherever it stands', () => {
  const inner = newAttribute('plan');
  const draft = newGroup('all', [newAttribute('a')]);
  draft.parts.push(newGroup('any', [inner]));
  expect(
    JSON.stringify(
      withPart(draft, inner.id, (part) => ({ ...part, id: inner.id, name: 'seats' }) as PartDraft),
    ),
  ).toContain('seats');
  expect(JSON.stringify(withPart(draft, inner.id, () => undefined))).not.toContain('plan');
});
