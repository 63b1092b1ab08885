import { describe, expect, test } from 'vitest';
import { SUMMARY_MAX_CHARS, type SummarisedMessage, summaryParts, wholeSummary } from './handoff-summary.ts';

const summarise = (...summarised: Parameters<typeof summaryParts>): string =>
  wholeSummary(summaryParts(...summarised));

const visitor = (text: string): SummarisedMessage => ({ sender: 'visitor', text });
const bot = (text: string, ...titles: string[]): SummarisedMessage => ({
  sender: 'bot',
  text,
  sources: titles.map((title) => ({ title })),
});
const unknown: SummarisedMessage = { sender: 'bot', text: "I don't know.", unknown: true };

describe('summarise', () => {
  test('gives the reason, each question once with its result, and who the visitor is and where', () => {
    const summary = summarise(
      [
        visitor('Hi!'),
        bot('Hello!'),
        visitor('Where is my order?'),
        bot('Open the e-mail …', 'Tracking your order'),
        visitor('It has not moved for a week and I leave on Friday'),
        unknown,
        visitor('I want to talk to a human'),
      ],
      {
        reason: 'visitor_request',
        visitor: { name: 'Ada Lovelace', email: 'ada@example.com' },
        pageUrl: 'https://shop.example/orders/7?token=secret#top',
      },
    );
    expect(summary.split('\n')).toEqual([
      'The visitor asked for a person.',
      '“Where is my order?” – answered from “Tracking your order”: “Open the e-mail …”',
      '“It has not moved for a week and I leave on Friday” – the bot didn’t know.',
      'Ada Lovelace, ada@example.com, on shop.example/orders/7',
    ]);
  });

  test('the reason in words replaces the name of the reason', () => {
    const why = 'Rule “Money”: the visitor wrote “refund”.';
    expect(summarise([visitor('refund!')], { reason: 'rule', why })).toBe(
      `${why}\n“refund!” – no answer yet.`,
    );
    expect(summarise([visitor('Do you sell rugs?'), unknown], { reason: 'no_answer' })).toBe(
      'The bot had no answer twice in a row.\n“Do you sell rugs?” – the bot didn’t know.',
    );
  });

  test('small talk and requests for a person are no questions', () => {
    expect(summarise([])).toBe('No questions yet.');
    expect(summarise([visitor('hello'), visitor('???'), visitor('agent')])).toBe(
      'The visitor asked for a person.\nNo questions yet.',
    );
  });

  test('of many questions it contains the first and the last, and how many it omits', () => {
    const many = Array.from({ length: 9 }, (_, at) => [
      visitor(`Question number ${at + 1}?`),
      unknown,
    ]).flat();
    expect(summarise(many).split('\n')).toEqual([
      '“Question number 1?” – the bot didn’t know.',
      '… 5 more questions …',
      '“Question number 7?” – the bot didn’t know.',
      '“Question number 8?” – the bot didn’t know.',
      '“Question number 9?” – the bot didn’t know.',
    ]);
  });

  test('asking back is no answer', () => {
    const asked = { ...bot('Is it one of these?', 'Returns'), askedBack: true };
    expect(summarise([visitor('lamp?'), asked])).toBe('“lamp?” – the bot wasn’t sure and asked back.');
  });

  test('an agent’s answer is the team’s', () => {
    const messages = [visitor('Do you sell rugs?'), { sender: 'agent' as const, text: 'From May on.' }];
    expect(summarise(messages)).toBe('“Do you sell rugs?” – the team answered: “From May on.”');
  });

  test('it contains what is known of the visitor, and nothing else', () => {
    const of = (name: string | null, email: string | null, pageUrl: string | null = null) =>
      summarise([], { visitor: { name, email }, pageUrl }).split('\n').at(-1);
    expect(of(null, null)).toBe('Unnamed visitor');
    expect(of(null, 'a@example.com', 'javascript:alert(1)')).toBe('a@example.com.');
    expect(of('Ada', null, 'not an address')).toBe('Ada.');
  });

  test('nothing in a quotation stands out', () => {
    const summary = summarise([visitor('**Where**\n\n# is `my`\u0000 <b>order</b> "now"\u202e [x](y)?')]);
    expect(summary).toBe('“Where is my b order /b now x?” – no answer yet.');
  });

  test('never grows beyond 1,000 characters or breaks a character', () => {
    const long = '😀 why '.repeat(20_000);
    const messages = Array.from({ length: 200 }, (_, at) => [
      visitor(`${at} ${long}`),
      bot(long, `${at} ${long}`),
      unknown,
    ]);
    const summary = summarise([...messages.flat(), visitor('talk to a human')], {
      visitor: { name: long, email: long },
      pageUrl: `https://shop.example/${'a'.repeat(9_000)}`,
    });
    expect(summary.length).toBeLessThanOrEqual(SUMMARY_MAX_CHARS);
    expect(summary.isWellFormed()).toBe(true);
    expect(summary).toContain('The visitor asked for a person.');
  });
});
