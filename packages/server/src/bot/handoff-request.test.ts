import { describe, expect, test } from 'vitest';
import { asksForPerson } from './handoff-request.ts';

const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  English: [
    'talk to a human',
    'Can I talk to a person?',
    'real person please',
    'agent',
    'AGENT!!!',
    'I want to speak with a real person now',
    'please connect me to an agent',
    'can you put me through to customer service',
    'I need a human',
    'let me chat with someone from your team',
    'is there a real person I can talk to?',
    'My lamp is broken. I would like to speak to a manager.',
    'transfer me to a live agent',
    "can't I talk to a human",
    'I do not want a bot, give me a human',
    'I’d like to speak to someone about my order',
    'human please',
    'representative',
    'contact an agent',
    'Could you hand me over to a member of staff?',
  ],
  German: [
    'Ich möchte mit einem Menschen sprechen',
    'Kann ich mit einem Mitarbeiter reden?',
    'bitte einen echten Menschen',
    'Verbinden Sie mich bitte mit dem Kundenservice',
    'Ich will einen Berater sprechen',
    'Mitarbeiter',
  ],
  French: [
    'Je veux parler à un humain',
    "Puis-je parler avec quelqu'un ?",
    'un conseiller s’il vous plaît',
    'Passez-moi un conseiller',
    'je voudrais parler à une vraie personne',
  ],
  Spanish: [
    'Quiero hablar con una persona',
    '¿Puedo hablar con un agente?',
    'un humano por favor',
    'Necesito un asesor',
    'comuníqueme con un representante',
  ],
  Portuguese: [
    'Quero falar com um atendente',
    'posso falar com uma pessoa?',
    'preciso de um humano',
    'atendente por favor',
  ],
  Italian: [
    'Vorrei parlare con un operatore',
    'posso parlare con una persona vera?',
    'voglio un operatore umano',
    'operatore per favore',
  ],
  Dutch: [
    'Ik wil met een medewerker praten',
    'Kan ik iemand spreken?',
    'Kan ik met een echt persoon spreken',
    'medewerker alsjeblieft',
  ],
  Polish: [
    'Chcę rozmawiać z człowiekiem',
    'proszę połączyć mnie z konsultantem',
    'konsultant proszę',
    'czy mogę porozmawiać z kimś?',
  ],
  Turkish: [
    'Bir insanla konuşmak istiyorum',
    'müşteri temsilcisine bağlan',
    'Temsilci lütfen',
    'yetkili biriyle görüşmek istiyorum',
  ],
  Ukrainian: [
    'Хочу поговорити з людиною',
    "З'єднайте мене з оператором",
    'оператор будь ласка',
    'зв’яжіть мене з менеджером',
  ],
  Japanese: [
    'オペレーターにつないでください',
    '人と話したい',
    '担当者と話せますか',
    '有人チャットをお願いします',
  ],
  Chinese: ['转人工', '我要人工客服', '我想和真人说话', '請幫我轉人工', '人工'],
  Arabic: ['أريد التحدث مع شخص حقيقي', 'أريد التحدث إلى موظف', 'حولني إلى موظف خدمة العملاء', 'موظف من فضلك'],
  Hebrew: ['אני רוצה לדבר עם נציג', 'אפשר לדבר עם בן אדם?', 'נציג בבקשה', 'תעביר אותי לנציג אנושי'],
};

const OTHER_MESSAGES: Readonly<Record<string, readonly string[]>> = {
  English: [
    'do you ship to persons abroad',
    'human hair wigs?',
    'what is a travel agent discount',
    'are you a real person?',
    'is this safe for humans',
    'how do I become an agent',
    'I need a person to sign for my parcel?',
    'can I talk about the travel agent discount',
    'does the delivery person call me before he comes',
    'I don’t want to talk to a human',
    'I would like to speak to the quality of your lamps',
    'do I have to be present in person',
    'a personal message for someone',
    'which cleaning agent is safe for brass',
    'how many people work for you',
    'can I return something that someone gave me?',
    'What support do the shelves need?',
    'is a supporting document needed',
  ],
  German: [
    'Wie viele Personen passen an den Tisch?',
    'Ich möchte eine Lampe für eine Person',
    'Sprechen Sie Deutsch?',
  ],
  French: ['une couette pour une personne', 'parlez-vous français ?', 'je ne veux pas parler à un humain'],
  Spanish: ['una manta para una persona', '¿habla español?', 'no quiero hablar con una persona'],
  Portuguese: ['um edredom para uma pessoa', 'vocês falam inglês?'],
  Italian: ['una coperta per una persona', 'parlate italiano?'],
  Dutch: ['een dekbed voor één persoon', 'spreken jullie Nederlands?'],
  Polish: ['kołdra dla jednej osoby', 'czy mówicie po polsku?'],
  Turkish: ['bir kişilik yorgan var mı', 'Türkçe konuşuyor musunuz?'],
  Ukrainian: ['ковдра на одну людину', 'ви говорите українською?'],
  Japanese: ['一人用の布団はありますか', '配送について教えてください'],
  Chinese: ['人工智能是什么', '单人被子多少钱', '我的订单在哪里'],
  Arabic: ['أين طلبي؟', 'بطانية لشخص واحد'],
  Hebrew: ['איפה ההזמנה שלי?', 'שמיכה לאדם אחד'],
};

describe('a request for a person is recognised', () => {
  for (const [language, messages] of Object.entries(REQUESTS)) {
    test.each(messages)(`${language}: %s`, (message) => {
      expect(asksForPerson(message)).toBe(true);
    });
  }
});

describe('what only sounds like one is not', () => {
  for (const [language, messages] of Object.entries(OTHER_MESSAGES)) {
    test.each(messages)(`${language}: %s`, (message) => {
      expect(asksForPerson(message)).toBe(false);
    });
  }
  test.each(['', ' ', '???', '😀😀', '\0', '\ud800', 'a'.repeat(100_000), 'talk '.repeat(30_000)])(
    'odd input %#',
    (message) => {
      expect(asksForPerson(message)).toBe(false);
    },
  );
});
