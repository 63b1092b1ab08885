import { describe, expect, test } from 'vitest';
import { SUMMARY_MAX_CHARS, type SummarisedMessage, summarise } from './summary.ts';

const visitor = (text: string): SummarisedMessage => ({ sender: 'visitor', text });
const bot = (text: string, ...titles: string[]): SummarisedMessage => ({
  sender: 'bot',
  text,
  sources: titles.map((title) => ({ title })),
});
const unknown: SummarisedMessage = { sender: 'bot', text: "I don't know.", unknown: true };

describe('summarise', () => {
  test('tells what was asked, answered, not known, and that a person was asked for', () => {
    const summary = summarise([
      visitor('Hi!'),
      bot('Hello!'),
      visitor('Where is my order?'),
      bot('Open the e-mail …', 'Tracking your order'),
      visitor('It has not moved for a week and I leave on Friday'),
      unknown,
      visitor('I want to talk to a human'),
    ]);
    expect(summary).toBe(
      'The visitor asked: "Where is my order?" Most recently: "It has not moved for a week and I leave on Friday". ' +
        'The bot answered from "Tracking your order". ' +
        'It did not know: "It has not moved for a week and I leave on Friday". The visitor asked for a person.',
    );
  });

  test('one question is told once', () => {
    expect(summarise([visitor('Do you sell rugs')])).toBe('The visitor asked: "Do you sell rugs".');
  });

  test('several misses are counted', () => {
    const messages = [visitor('Do you sell rugs?'), unknown, visitor('And carpets?'), unknown];
    expect(summarise(messages)).toContain('It did not know 2 times, last: "And carpets?"');
  });

  test('small talk and requests for a person are no questions', () => {
    expect(summarise([])).toBe('The visitor has not asked anything yet.');
    expect(summarise([visitor('hello'), visitor('???'), visitor('agent')])).toBe(
      'The visitor has not asked anything yet. The visitor asked for a person.',
    );
  });

  test('is plain text of one line', () => {
    const summary = summarise([visitor('**Where**\n\n# is `my`\u0000 <b>order</b> "now"\u202e [x](y)?')]);
    expect(summary).toBe('The visitor asked: "Where is my b order /b now x (y)?"');
  });

  test('never grows beyond 500 characters or breaks a character', () => {
    const long = '😀 why '.repeat(20_000);
    const messages = Array.from({ length: 200 }, (_, at) => [
      visitor(`${at} ${long}`),
      bot(long, `${at} ${long}`),
      unknown,
    ]);
    const summary = summarise([...messages.flat(), visitor('talk to a human')]);
    expect(summary.length).toBeLessThanOrEqual(SUMMARY_MAX_CHARS);
    expect(summary.isWellFormed()).toBe(true);
    expect(summary).toContain('The visitor asked for a person.');
  });
});
