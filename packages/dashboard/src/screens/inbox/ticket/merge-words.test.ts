import { MERGE_LINES } from '@foyer/protocol/values/merge-lines';
import { sentenceWith } from '@foyer/protocol/values/sentences';
import { beforeAll, expect, test, vi } from 'vitest';
import { speak } from '../../../language.ts';
import { noteWords } from './merge-words.ts';

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://here.example' });
  return speak('de');
});

const there = { id: 7, address: 'https://there.example/app/inbox/tickets/7' };
const here = '[#7](https://here.example/app/inbox/tickets/7)';

test('a German desk translates a merge’s note, and leaves quoted messages as they are', () => {
  const when = '2026-03-10 11:58';
  const note = [
    sentenceWith(MERGE_LINES.came_in, { ...there, subject: 'Lamp “Ada” [x](y)' }),
    '',
    'It flickers.',
    '',
    sentenceWith(MERGE_LINES.said, { name: 'Ada', when }),
    'We are looking',
    '',
    sentenceWith(MERGE_LINES.rest, there),
  ];
  expect(noteWords(note.join('\n')).split('\n')).toEqual([
    `${here} „Lamp “Ada” [x](y)“ wurde mit diesem Ticket zusammengeführt.`,
    '',
    'It flickers.',
    '',
    expect.stringMatching(/^\*\*Ada\*\*, .*10\. März 2026/),
    'We are looking',
    '',
    `Der Rest steht in ${here}.`,
  ]);
  expect(noteWords(sentenceWith(MERGE_LINES.goes_on, there))).toBe(
    `Dieses Ticket wurde mit ${here} zusammengeführt.`,
  );
});

test('a person’s note stays as it is, whatever lines it quotes', () => {
  const note = `Look:\n${sentenceWith(MERGE_LINES.rest, there)}`;
  expect(noteWords(note)).toBe(note);
});
