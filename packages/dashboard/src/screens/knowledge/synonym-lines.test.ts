import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../language.ts';
import { groupsOf, linesOfGroups } from './synonym-lines.ts';

beforeAll(() => speak('en'));

test('a line is a group, and is shown again as it was written', () => {
  const groups = [
    ['trainers', 'running shoes'],
    ['sofa', 'couch'],
  ];
  expect(groupsOf(linesOfGroups(groups))).toEqual({ groups, wrong: undefined });
  expect(groupsOf('\n a ,a, b;\n\n')).toEqual({ groups: [['a', 'b']], wrong: undefined });
});

test.each([
  ['sofa', /^Line 1 has only one word/],
  [`a,b\n${'x'.repeat(61)},c`, /^Line 2 has a word longer than 60/],
  [Array.from({ length: 21 }, (_, at) => `w${at}`).join(','), /^Line 1 has more than 20/],
  ['a,b\n'.repeat(201), /^You have 201 groups/],
])('what the server would refuse is said before: %#', (text, wrong) => {
  expect(groupsOf(text).wrong).toMatch(wrong);
});
