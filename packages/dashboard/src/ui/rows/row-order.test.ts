import { expect, it } from 'vitest';
import { movedIn } from './RowOrder.tsx';

it('a row goes to another place, and all others keep theirs', () => {
  expect(movedIn(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(movedIn(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c']);
  expect(movedIn(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
});
