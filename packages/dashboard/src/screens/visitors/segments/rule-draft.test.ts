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

test('a stored rule survives the way to a draft and back', () => {
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

test('every incomplete or invalid field is named', () => {
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

test('a time that a program has set is kept until another date is chosen', () => {
  const rule = {
    all: [{ attribute: 'last_seen_utc', op: 'gt' as const, value: '2026-03-10T18:30:00+01:00' }],
  };
  const draft = draftOf(rule);
  if (draft.type !== 'group') throw new Error('not a group');
  expect(ruleOf(draft)).toEqual(rule);
  const [part] = draft.parts;
  if (part?.type !== 'attribute') throw new Error('not an attribute');
  expect(part.text).toBe('2026-03-10');
  const later = withPart(draft, part.id, () => ({ ...part, text: '2026-03-11' }));
  expect(ruleOf(later)).toEqual({ all: [{ attribute: 'last_seen_utc', op: 'gt', value: '2026-03-11' }] });
});

test('renaming an attribute keeps what makes sense for the new name', () => {
  const draft = { ...newAttribute('plan'), op: 'contains' as const, text: 'pro' };
  expect(renamed(draft, 'email', 'text')).toMatchObject({ op: 'contains', text: 'pro' });
  expect(renamed(draft, 'seats', 'number')).toMatchObject({ op: 'eq', kind: 'number', text: '' });
  expect(renamed(draft, 'last_seen_utc', 'date')).toMatchObject({ op: 'gt', text: '' });
  expect(opsFor('first_seen_utc', 'date')).toEqual(['gt', 'lt']);
});

test('a part can be changed or removed at any depth', () => {
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
