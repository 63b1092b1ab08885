import { expect, test } from 'vitest';
import { createSlugs, slugOf } from './slug.ts';

test.each([
  ['Returns & refunds', 'returns-refunds'],
  ['Größe wählen', 'grosse-wahlen'],
  ['Łódź, Ærø, Þór', 'lodz-aero-thor'],
  ["What's new?", 'whats-new'],
  ['Как вернуть', 'как-вернуть'],
  ['返品について', '返品について'],
  ['../../etc/passwd', 'etc-passwd'],
  ['<script>', 'script'],
  ['???', 'article'],
  ['x'.repeat(300), 'x'.repeat(80)],
])('%s becomes %s', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test('a slug that is taken gets the next free number', () => {
  const slugs = createSlugs(['returns', 'returns-3']);
  expect([1, 2, 3].map(() => slugs.take('Returns'))).toEqual(['returns-2', 'returns-4', 'returns-5']);
  expect(slugs.take('Returns 2')).toBe('returns-2-2');
});
