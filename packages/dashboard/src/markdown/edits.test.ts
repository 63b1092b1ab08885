import { describe, expect, test } from 'vitest';
import { insertImage, insertLink, toggleLines } from './edits.ts';
import { type Edit, toggleMark, type Written } from './marks.ts';

/** `[` and `]` mark the selection. */
const written = (shown: string): Written => {
  const start = shown.indexOf('[');
  const end = shown.indexOf(']') - 1;
  return { text: shown.replace('[', '').replace(']', ''), start, end };
};
const done = ({ text }: Written, { from, to, insert, select }: Edit): string => {
  const after = text.slice(0, from) + insert + text.slice(to);
  return `${after.slice(0, select[0])}[${after.slice(...select)}]${after.slice(select[1])}`;
};

describe('the editor', () => {
  test('puts a mark around the selection, and removes it again', () => {
    const plain = written('a [word] b');
    expect(done(plain, toggleMark(plain, '**'))).toBe('a **[word]** b');
    const bold = written('a **[word]** b');
    expect(done(bold, toggleMark(bold, '**'))).toBe('a [word] b');
    const behind = written('a **word[]** b');
    expect(done(behind, toggleMark(behind, '**'))).toBe('a **word**[] b');
    const caret = written('a []');
    expect(done(caret, toggleMark(caret, '`'))).toBe('a `[]`');
  });

  test('turns lines into list items, into another list, and back', () => {
    const plain = written('x\n[one\ntwo]\ny');
    expect(done(plain, toggleLines(plain, 'numbers'))).toBe('x\n[1. one\n2. two]\ny');
    const numbers = written('[1. one\n2. two]');
    expect(done(numbers, toggleLines(numbers, 'bullets'))).toBe('[- one\n- two]');
    expect(done(numbers, toggleLines(numbers, 'numbers'))).toBe('[one\ntwo]');
    const caret = written('on[]e');
    expect(done(caret, toggleLines(caret, 'heading'))).toBe('## one[]');
  });

  test('selects the address of a new link, to be typed over', () => {
    const word = written('see [this]');
    expect(insertLink(word, 'text')).toMatchObject({ insert: '[this](https://)' });
    const { text } = word;
    const { from, to, insert, select } = insertLink(word, 'text');
    expect((text.slice(0, from) + insert + text.slice(to)).slice(...select)).toBe('https://');
  });

  test('puts an image on its own line, with its name as the description', () => {
    const caret = written('text[]');
    expect(insertImage(caret, 'my [photo].png', '/p')).toMatchObject({ insert: '\n\n![my  photo ](/p)\n' });
  });
});
