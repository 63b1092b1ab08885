import { describe, expect, test } from 'vitest';
import { readReply } from './reply-format.ts';

const ANSWER = 'ANSWER\nQUOTE 2: within 30 days\n\nYou have **30 days**.';
const READ = {
  kind: 'answer',
  quotes: [{ passage: 2, words: 'within 30 days' }],
  text: 'You have **30 days**.',
};

describe('an answer', () => {
  test.each<[string, string]>([
    ['as it was asked for', ANSWER],
    ['behind reasoning', `<think>ANSWER\nQUOTE 1: x\n\nperhaps?</think>\n\n${ANSWER}`],
    ['behind reasoning whose beginning the server swallowed', `Let me see.\nANSWER\nno\n</think>\n${ANSWER}`],
    ['behind reasoning in brackets', `[THINK]hm[/THINK]${ANSWER}`],
    [
      'in the last channel',
      `<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>${ANSWER}<|return|>`,
    ],
    ['behind a preamble', `Sure! Here is my reply:\n\n${ANSWER}`],
    ['in a code fence', `\`\`\`text\n${ANSWER}\n\`\`\``],
    ['with an emphasised keyword', ANSWER.replace('ANSWER', '**ANSWER**')],
    ['with a colon', ANSWER.replace('ANSWER', 'ANSWER:')],
    ['with quotes as a list', ANSWER.replace('QUOTE 2:', '- QUOTE [2]:')],
    ['with an emphasised quote', ANSWER.replace('QUOTE 2:', '**QUOTE 2:**')],
    ['with citations in the text', ANSWER.replace('days**.', 'days** [2].')],
    ['with lines of Windows', ANSWER.replaceAll('\n', '\r\n')],
  ])('is read %s', (_, written) => {
    expect(readReply(written, true)).toEqual(READ);
  });

  test('keeps a code fence of its own', () => {
    const text = 'Run this:\n```\nnpm start\n```';
    expect(readReply(`ANSWER\nQUOTE 1: npm start\n\n${text}`, true)).toMatchObject({ text });
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['a text without a keyword', 'You have 30 days.'],
    ['only reasoning', '<think>ANSWER\nQUOTE 1: x\n\nYes.'],
    ['a sentence about the keyword', 'ANSWER is what I would write.'],
    ['a keyword in lower case', ANSWER.toLowerCase()],
    ['two replies', `${ANSWER}\nHANDOFF person`.replace('HANDOFF person', 'NONE')],
    ['a quote behind the text', `${ANSWER}\nQUOTE 1: more`],
    ['a keyword behind an endless preamble', `${'Well. '.repeat(500)}\n${ANSWER}`],
  ])('is not read from %s', (_, written) => {
    expect(readReply(written, true)).toEqual({ kind: 'unreadable', problem: 'format' });
  });

  test('may not be endless', () => {
    expect(readReply(`${ANSWER}${' Really.'.repeat(300)}`, false)).toEqual({
      kind: 'unreadable',
      problem: 'too_long',
    });
  });
});

describe('while it is written', () => {
  test.each<[string, string]>([
    ['no keyword is there', 'ANS'],
    ['the line of the keyword is not over', 'ANSWER'],
    ['it still thinks', '<think>ANSWER\n\nYes'],
    ['there is only a preamble', 'Sure! Here it is:\n'],
  ])('it may become an answer: %s', (_, written) => {
    expect(readReply(written, false)).toEqual({ kind: 'pending' });
  });

  test.each(['ANSWER\n', 'ANSWER\nQUO', 'ANSWER\nQUOTE 2', 'ANSWER\nQUOTE 2: within\nQ'])(
    'a quote is no text: %j',
    (written) => {
      expect(readReply(written, false)).toMatchObject({ kind: 'answer', text: '' });
    },
  );

  test('unreadable once no keyword can come', () => {
    expect(readReply('Well. '.repeat(500), false)).toMatchObject({ kind: 'unreadable' });
  });
});

test('the other replies are read', () => {
  expect(readReply('ASK\nWhich lamp is it?', true)).toEqual({ kind: 'ask', text: 'Which lamp is it?' });
  expect(readReply('**TALK**: You’re welcome!', true)).toEqual({ kind: 'talk', text: 'You’re welcome!' });
  expect(readReply('NONE', true)).toEqual({ kind: 'none' });
  expect(readReply('HANDOFF complaint\nThe lamp came broken,\ntwice.', true)).toEqual({
    kind: 'handoff',
    reason: 'complaint',
    summary: 'The lamp came broken, twice.',
  });
  expect(readReply('ACTION Order status\nnumber: A-17\n- **email**: a@b.example', true)).toEqual({
    kind: 'action',
    name: 'Order status',
    inputs: new Map([
      ['number', 'A-17'],
      ['email', 'a@b.example'],
    ]),
  });
});

test.each<[string, string, string]>([
  ['an unknown reason', 'HANDOFF whatever\nx', 'format'],
  ['a question back without words', 'ASK\n', 'format'],
  ['small talk that tells a story', `TALK\n${'la '.repeat(200)}`, 'too_long'],
])('%s is unreadable', (_, written, problem) => {
  expect(readReply(written, true)).toEqual({ kind: 'unreadable', problem });
});
