import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('../src/tokens.css', import.meta.url), 'utf8');

type Rgb = [number, number, number];

const tokens = new Map(
  [...css.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
);

/** Linear sRGB of an OKLCH colour, cut to the gamut (https://bottosson.github.io/posts/oklab/). */
function linear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number): number => Math.min(1, Math.max(0, value));
  return [
    cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function colour(name: string, dark: boolean): Rgb {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`no token --${name}`);
  const pair = /^light-dark\(var\(--([a-z0-9-]+)\), var\(--([a-z0-9-]+)\)\)$/.exec(value);
  if (pair) return colour((dark ? pair[2] : pair[1]) ?? '', dark);
  const oklch = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value);
  if (oklch) return linear(Number(oklch[1]), Number(oklch[2]), Number(oklch[3]));
  if (value === 'oklch(1 0 0)') return [1, 1, 1];
  throw new Error(`--${name} is neither a step of the scale nor a pair of them: ${value}`);
}

const luminance = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** WCAG 2.2, 1.4.3. */
function contrast(front: string, back: string, dark: boolean): number {
  const one = luminance(colour(front, dark));
  const two = luminance(colour(back, dark));
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

const GROUNDS = ['frame', 'surface', 'sunken', 'raised', 'hover', 'pressed', 'selected', 'bubble', 'field'];
const PAIRS: [string, string][] = [
  ...GROUNDS.flatMap((ground): [string, string][] => [
    ['text', ground],
    ['text-soft', ground],
    ['text-faint', ground],
    ['accent-text', ground],
    ['danger-text', ground],
  ]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ['accent-text', 'accent-ground'],
  ['text', 'accent-ground'],
  ['text-soft', 'accent-ground'],
  ['text', 'note-ground'],
  ['note-text', 'note-ground'],
  ['note-text', 'note-line'],
  ['text-faint', 'note-ground'],
  ['text', 'warn-ground'],
  ['warn-text', 'warn-ground'],
  ['text', 'danger-ground'],
  ['danger-text', 'danger-ground'],
  ['good-text', 'good-ground'],
  ['good-text', 'surface'],
  ['warn-text', 'surface'],
];
const SHAPES: [string, string][] = GROUNDS.flatMap((ground): [string, string][] => [
  ['accent', ground],
  ['control', ground],
]);

test.each(PAIRS)('text in --%s on --%s has 4.5 : 1, light and dark', (front, back) => {
  expect(contrast(front, back, false)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(front, back, true)).toBeGreaterThanOrEqual(4.5);
});

test.each(SHAPES)('controls and focus rings in --%s on --%s have 3 : 1, light and dark', (front, back) => {
  expect(contrast(front, back, false)).toBeGreaterThanOrEqual(3);
  expect(contrast(front, back, true)).toBeGreaterThanOrEqual(3);
});

test('the measure itself is right: black on white is 21, and a middle grey fails', () => {
  tokens.set('black', 'oklch(0 0 0)');
  tokens.set('white', 'oklch(1 0 0)');
  tokens.set('grey', 'oklch(0.7 0 0)');
  expect(contrast('black', 'white', false)).toBeCloseTo(21, 1);
  expect(contrast('grey', 'white', false)).toBeLessThan(4.5);
});
