import { expect, test } from 'vitest';
import { contrasting, isColor } from './color.ts';

test.each([
  ['#0f5e5a', '#fff'],
  ['#000000', '#fff'],
  ['#7c3aed', '#fff'],
  ['#ffffff', '#000'],
  ['#ffd400', '#000'],
  ['#FF7A00', '#000'],
])('on %s the icon is %s', (color, icon) => {
  expect(contrasting(color)).toBe(icon);
});

test('only #rrggbb is a colour', () => {
  for (const value of ['red', '#fff', 'red;}', '#0f5e5a;x', 7, null]) expect(isColor(value)).toBe(false);
});
