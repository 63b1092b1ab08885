import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import { describe, expect, test } from 'vitest';
import { asksForPerson, needOf, smallTalkReply } from './intents.ts';
import { SMALL_TALK_REPLIES } from './small-talk-replies.ts';

// bench/intents.ts and bench/bot.ts measure the accuracy on unseen messages; this tests what must be understood in
// every language.
const SAID: Readonly<Record<Language, { person: string; thanks: string; question: string }>> = {
  en: {
    person: 'Can I talk to a real person?',
    thanks: 'thanks a lot!',
    question: 'When do you open on Sunday?',
  },
  de: {
    person: 'Ich möchte mit einem Menschen sprechen',
    thanks: 'vielen Dank!',
    question: 'Wann habt ihr sonntags auf?',
  },
  fr: {
    person: 'Je veux parler à un conseiller',
    thanks: 'merci beaucoup !',
    question: 'Quand ouvrez-vous le dimanche ?',
  },
  es: {
    person: 'Quiero hablar con una persona',
    thanks: '¡muchas gracias!',
    question: '¿Cuándo abren el domingo?',
  },
  pt: {
    person: 'Quero falar com um atendente',
    thanks: 'muito obrigado!',
    question: 'Quando abrem no domingo?',
  },
  it: {
    person: 'Vorrei parlare con un operatore',
    thanks: 'grazie mille!',
    question: 'Quando aprite la domenica?',
  },
  nl: {
    person: 'Ik wil een medewerker spreken',
    thanks: 'hartelijk bedankt!',
    question: 'Wanneer zijn jullie zondag open?',
  },
  pl: {
    person: 'Chcę porozmawiać z konsultantem',
    thanks: 'dziękuję bardzo!',
    question: 'O której otwieracie w niedzielę?',
  },
  tr: {
    person: 'Bir temsilciyle görüşmek istiyorum',
    thanks: 'çok teşekkürler!',
    question: 'Pazar günü kaçta açılıyorsunuz?',
  },
  uk: {
    person: 'Хочу поговорити з оператором',
    thanks: 'дуже дякую!',
    question: 'Коли ви відкриваєтесь у неділю?',
  },
  ja: {
    person: '担当者と話したいです',
    thanks: 'ありがとうございます！',
    question: '日曜日は何時に開きますか？',
  },
  zh: { person: '我要转人工客服', thanks: '非常感谢！', question: '你们周日几点开门？' },
  ar: { person: 'أريد التحدث إلى موظف', thanks: 'شكرا جزيلا!', question: 'متى تفتحون يوم الأحد؟' },
  he: { person: 'אני רוצה לדבר עם נציג', thanks: 'תודה רבה!', question: 'מתי אתם פותחים ביום ראשון?' },
};

describe.each(LANGUAGES)('in %s', (language) => {
  const { person, thanks, question } = SAID[language];

  test('a request for a person is one', () => {
    expect(asksForPerson(person)).toBe(true);
    expect(smallTalkReply(person)).toBeNull();
  });

  test('thanks are returned in their language, whatever the language of the visitor’s browser', () => {
    expect(smallTalkReply(thanks)).toBe(SMALL_TALK_REPLIES[language].thanks);
    expect(needOf(thanks, 'ask')).toBeUndefined();
  });

  test('a question is neither', () => {
    expect(needOf(question, 'ask')).toBeUndefined();
    expect(smallTalkReply(question)).toBeNull();
  });
});

test.each([
  'Can a person return shoes that they wore once?',
  'I don’t want to talk about the price, just tell me how to order',
  'How many people fit in the room?',
  'Hi! How long is the warranty on lamps?',
  'thanks, and when do you open?',
  'my lamp arrived with a scratch, how do I send it back?',
])('%s: is a question', (message) => {
  expect(needOf(message)).toBeUndefined();
  expect(smallTalkReply(message)).toBeNull();
});

test('a short message without words is answered in the visitor’s language', () => {
  expect(smallTalkReply('👍', 'de')).toBe(SMALL_TALK_REPLIES.de.okay);
});

test.each([
  ['complaint', 'this is outrageous, you charged me twice and nobody answers my emails!!'],
  ['emergency', 'I smell gas in the kitchen, please help'],
  ['callback', 'could somebody ring me on 0113 555 0142 tomorrow morning'],
])('%s: %s', (need, message) => {
  expect(needOf(message)).toBe(need);
});

test.each([
  '',
  '   ',
  '!!!',
  '\0',
  '\ud800',
  '!'.repeat(100_000),
  'terribl '.repeat(30_000),
  'a'.repeat(100_000),
  `e${'\u0301'.repeat(100_000)}`,
])('odd input %# is read, and quickly', (message) => {
  expect(asksForPerson(message)).toBe(false);
});
