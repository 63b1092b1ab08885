import { expect, test } from 'vitest';
import { macroContract } from '../tickets/macros.ts';
import { fillMacroText, type PlaceholderValues, unknownPlaceholders } from './macro-text.ts';

const VALUES: PlaceholderValues = {
  'visitor.name': 'Ann',
  'visitor.email': 'ann@example.com',
  'ticket.id': 7,
  'ticket.subject': 'Lamp',
  'agent.name': 'Ben',
  'site.name': 'Shop',
};
const fill = (text: string, values: Partial<PlaceholderValues> = {}) =>
  fillMacroText(text, { ...VALUES, ...values });

test('each placeholder becomes its value, however it is spaced', () => {
  expect(
    fill(
      '{{visitor.name}}|{{ visitor.email }}|#{{ticket.id}}|{{\tticket.subject\n}}|{{agent.name }}|{{site.name}}',
    ),
  ).toBe('Ann|ann@example.com|#7|Lamp|Ben|Shop');
});

test('a value that looks like a placeholder, a pattern or code stays text', () => {
  const hostile = '{{visitor.email}} $& $1 {{ticket.subject}}';
  expect(
    fill('{{ticket.subject}}{{visitor.name}}', { 'ticket.subject': hostile, 'visitor.name': '}}' }),
  ).toBe(`${hostile}}}`);
  // Halves that only together would be one.
  expect(fill('{{ticket.subject}}{visitor.email}}', { 'ticket.subject': '{' })).toBe('{{visitor.email}}');
  expect(fill('{{visitor.name}}', { 'visitor.name': '<b>{{{agent.name}}}</b>' })).toBe(
    '<b>{{{agent.name}}}</b>',
  );
});

test.each([
  ['Hello {{visitor.name}}, thanks', 'Hello, thanks'],
  ['Dear {{visitor.name}} and family', 'Dear and family'],
  ['Hello {{visitor.name}}', 'Hello'],
  ['{{visitor.name}}, hello', ', hello'],
  ['a {{visitor.name}}b', 'a b'],
  ['Hello {{visitor.name}}{{ticket.id}}', 'Hello 7'],
])('a missing value leaves no gap: %s', (text, filled) => {
  expect(fill(text, { 'visitor.name': null })).toBe(filled);
});

test.each(['{visitor.name}', '{{visitor.name', '{{visitor.name}', '}}{{', '{{{}', '{ {visitor.name} }'])(
  '%s is plain text',
  (text) => {
    expect(unknownPlaceholders(text)).toEqual([]);
    expect(fill(text)).toBe(text);
  },
);

test('unknown names between braces are reported, each once', () => {
  const text = '{{visitor.phone}} {{visitor.name}} {{ visitor.phone }} {{}} {{Visitor.Name}} {{__proto__}}';
  expect(unknownPlaceholders(text)).toEqual(['visitor.phone', '', 'Visitor.Name', '__proto__']);
});

test('a text of only braces is fast', () => {
  for (const text of [
    '{'.repeat(50_000),
    '{{'.repeat(25_000),
    `{{${' '.repeat(49_000)}`,
    '{{a'.repeat(16_000),
  ])
    expect(unknownPlaceholders(text)).toEqual([]);
});

test('saving reports each unknown placeholder with its position', () => {
  const { error } = macroContract['macros.create'].input.safeParse({
    name: 'Thanks',
    actions: [
      { type: 'reply', body: 'Hello {{visitor.name}}' },
      { type: 'note', body: '{{visitor.phone}} {{order}}' },
      { type: 'set_status', status: 'open' },
    ],
  });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['actions.1.body', '"visitor.phone" isn’t a known variable'],
    ['actions.1.body', '"order" isn’t a known variable'],
  ]);
});
