import type { Language } from '@foyer/protocol/languages';

/** What the bot says of itself, in the visitor's language. */
interface Phrases {
  readonly notKnown: string;
  /** The last time, when it calls a person as well. */
  readonly stillNotKnown: string;
  /** Above the titles of articles, which the widget shows as choices. */
  readonly asksWhich: string;
}

const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    notKnown:
      "I don't know that one, and I'd rather not guess. You can ask it another way, or talk to a person.",
    stillNotKnown: "I couldn't find an answer to that either, so I'm asking a person to take over.",
    asksWhich: "I'm not sure that I understood. Is it one of these?",
  },
  de: {
    notKnown:
      'Das weiß ich nicht, und raten möchte ich nicht. Stellen Sie die Frage gern anders, oder sprechen Sie mit einem Menschen.',
    stillNotKnown:
      'Auch darauf habe ich keine Antwort gefunden. Ich bitte jemanden aus dem Team zu übernehmen.',
    asksWhich: 'Ich bin nicht sicher, ob ich richtig verstanden habe. Geht es um eines davon?',
  },
  fr: {
    notKnown:
      'Je ne connais pas la réponse et je préfère ne pas deviner. Vous pouvez reformuler la question ou parler à une personne.',
    stillNotKnown:
      "Je n'ai pas trouvé de réponse à cela non plus : je demande à une personne de prendre le relais.",
    asksWhich: "Je ne suis pas certain d'avoir compris. S'agit-il de l'un de ces sujets ?",
  },
  es: {
    notKnown: 'No lo sé y prefiero no adivinar. Puede preguntarlo de otra manera o hablar con una persona.',
    stillNotKnown: 'Tampoco he encontrado respuesta a eso, así que pido a una persona que continúe.',
    asksWhich: 'No estoy seguro de haber entendido. ¿Se trata de alguno de estos temas?',
  },
  pt: {
    notKnown:
      'Isso eu não sei e prefiro não adivinhar. Pode perguntar de outra forma ou falar com uma pessoa.',
    stillNotKnown: 'Também não encontrei resposta para isso, por isso vou pedir a uma pessoa que continue.',
    asksWhich: 'Não tenho certeza de ter entendido. É um destes assuntos?',
  },
  it: {
    notKnown:
      'Questo non lo so e preferisco non indovinare. Può chiederlo in un altro modo o parlare con una persona.',
    stillNotKnown: 'Non ho trovato risposta nemmeno a questo: chiedo a una persona di continuare.',
    asksWhich: 'Non sono sicuro di aver capito. Si tratta di uno di questi argomenti?',
  },
  nl: {
    notKnown: 'Dat weet ik niet, en ik gok liever niet. Stel de vraag gerust anders, of praat met een mens.',
    stillNotKnown: 'Ook daarop heb ik geen antwoord gevonden, dus ik vraag een mens om het over te nemen.',
    asksWhich: 'Ik weet niet zeker of ik het goed begrijp. Gaat het om een van deze?',
  },
  pl: {
    notKnown: 'Tego nie wiem i wolę nie zgadywać. Można zapytać inaczej albo porozmawiać z człowiekiem.',
    stillNotKnown: 'Na to też nie znalazłem odpowiedzi, więc proszę kogoś z zespołu o przejęcie rozmowy.',
    asksWhich: 'Nie mam pewności, czy dobrze rozumiem. Czy chodzi o jedno z tych?',
  },
  tr: {
    notKnown:
      'Bunu bilmiyorum ve tahmin etmek istemem. Başka türlü sorabilir ya da bir kişiyle konuşabilirsiniz.',
    stillNotKnown: 'Buna da bir yanıt bulamadım; ekipten birinin devralmasını istiyorum.',
    asksWhich: 'Doğru anladığımdan emin değilim. Bunlardan biri mi?',
  },
  uk: {
    notKnown: 'Цього я не знаю і не хочу вгадувати. Можна запитати інакше або поговорити з людиною.',
    stillNotKnown: 'На це я теж не знайшов відповіді, тож прошу людину продовжити розмову.',
    asksWhich: 'Не впевнений, що правильно зрозумів. Це одне з цього?',
  },
  ja: {
    notKnown: 'その質問にはお答えできません。推測は控えます。別の言い方で聞くか、担当者とお話しください。',
    stillNotKnown: 'こちらも答えが見つかりませんでした。担当者に引き継ぎます。',
    asksWhich: '正しく理解できたか自信がありません。次のどれかでしょうか？',
  },
  zh: {
    notKnown: '这个问题我不知道，也不想乱猜。您可以换一种问法，或与人工客服交谈。',
    stillNotKnown: '这个问题我也没有找到答案，正在请人工客服接手。',
    asksWhich: '我不确定是否理解正确。您问的是下面其中之一吗？',
  },
  ar: {
    notKnown: 'لا أعرف الجواب ولا أريد أن أخمّن. يمكنك طرح السؤال بطريقة أخرى أو التحدث إلى شخص.',
    stillNotKnown: 'لم أجد جوابًا لهذا أيضًا، لذلك أطلب من أحد أفراد الفريق أن يتولى المحادثة.',
    asksWhich: 'لست متأكدًا من أنني فهمت. هل تقصد أحد هذه؟',
  },
  he: {
    notKnown: 'את זה אני לא יודע, ואני מעדיף לא לנחש. אפשר לשאול אחרת או לדבר עם אדם.',
    stillNotKnown: 'גם לזה לא מצאתי תשובה, ולכן אני מבקש מאדם מהצוות להמשיך.',
    asksWhich: 'אני לא בטוח שהבנתי. האם הכוונה לאחד מאלה?',
  },
};

/** All that the bot may say when it doesn't know, in every language. */
export const notKnownPhrases: readonly string[] = Object.values(PHRASES).flatMap(
  ({ notKnown, stillNotKnown }) => [notKnown, stillNotKnown],
);
const SAYS_NOT_KNOWN = new Set(notKnownPhrases);

/** What the bot says when it doesn't know; the last time it calls a person as well. */
export const notKnown = (language: Language, callsPerson: boolean): string =>
  callsPerson ? PHRASES[language].stillNotKnown : PHRASES[language].notKnown;

/** Above the titles of articles, which the widget shows as choices. */
export const asksWhich = (language: Language): string => PHRASES[language].asksWhich;

/** Whether a bot's message says that it didn't know, in any language. */
export const saysNotKnown = (text: string): boolean => SAYS_NOT_KNOWN.has(text);
