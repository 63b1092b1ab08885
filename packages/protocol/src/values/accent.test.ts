import { expect, test } from 'vitest';
import { accentProperties, contrast, isColor, standingOut, textOn } from './accent.ts';

const COLORS = [
  '#0f5e5a',
  '#ffffff',
  '#000000',
  '#ffff00',
  '#ff7a00',
  '#7c3aed',
  '#808080',
  '#f4f3ef',
  '#1c2120',
];

test.each(COLORS)('text on %s has a contrast of 4.5 : 1, in light and dark', (color) => {
  expect(contrast(textOn(color), color)).toBeGreaterThanOrEqual(4.5);
  const accent = accentProperties(color);
  for (const scheme of ['light', 'dark']) {
    const fill = accent[`--accent-${scheme}`] ?? '';
    expect(contrast(accent[`--on-accent-${scheme}`] ?? '', fill)).toBeGreaterThanOrEqual(4.5);
  }
  for (const ground of ['#ffffff', '#f1f0ec']) {
    expect(contrast(accent['--accent-text-light'] ?? '', ground)).toBeGreaterThanOrEqual(4.5);
  }
  for (const ground of ['#1c2120', '#262c2b']) {
    expect(contrast(accent['--accent-text-dark'] ?? '', ground)).toBeGreaterThanOrEqual(4.5);
  }
});

test('a colour with enough contrast is kept', () => {
  expect(standingOut('#0f5e5a', '#ffffff', 4.5)).toBe('#0f5e5a');
});

test('only #rrggbb is a colour', () => {
  expect(isColor('#0f5e5a')).toBe(true);
  for (const value of ['red', '#fff', 'url(x)', '#0f5e5a;color:red', null, 7])
    expect(isColor(value)).toBe(false);
});
