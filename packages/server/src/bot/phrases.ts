import type { Language } from '@foyer/protocol/values/languages';

/** What the bot says of itself, in the visitor's language. */
interface Phrases {
  readonly notKnown: string;
  /** The last time, when it calls a person as well. */
  readonly stillNotKnown: string;
  /** Above the titles of articles, which the widget shows as choices. */
  readonly asksWhich: string;
  /** To files that came without a word. */
  readonly filesGot: string;
}

const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    notKnown:
      "I don't know that one, and I'd rather not guess. You can ask it another way, or talk to a person.",
    stillNotKnown: "I couldn't find an answer to that either, so I'm asking a person to take over.",
    asksWhich: "I'm not sure that I understood. Is it one of these?",
    filesGot:
      "Thank you, it has arrived. I can't look into files myself: tell me in words what it is about, or talk to a person, who will see it.",
  },
  de: {
    notKnown:
      'Das weiß ich nicht, und raten möchte ich nicht. Stellen Sie die Frage gern anders, oder sprechen Sie mit einem Menschen.',
    stillNotKnown:
      'Auch darauf habe ich keine Antwort gefunden. Ich bitte jemanden aus dem Team zu übernehmen.',
    asksWhich: 'Ich bin nicht sicher, ob ich richtig verstanden habe. Geht es um eines davon?',
    filesGot:
      'Danke, das ist angekommen. In Dateien kann ich selbst nicht hineinsehen: Sagen Sie mir in Worten, worum es geht, oder sprechen Sie mit einem Menschen, der es sehen wird.',
  },
  fr: {
    notKnown:
      'Je ne connais pas la réponse et je préfère ne pas deviner. Vous pouvez reformuler la question ou parler à une personne.',
    stillNotKnown:
      "Je n'ai pas trouvé de réponse à cela non plus : je demande à une personne de prendre le relais.",
    asksWhich: "Je ne suis pas certain d'avoir compris. S'agit-il de l'un de ces sujets ?",
    filesGot:
      "Merci, c'est bien arrivé. Je ne peux pas ouvrir de fichiers moi-même : dites-moi en quelques mots de quoi il s'agit, ou parlez à une personne, qui le verra.",
  },
  es: {
    notKnown: 'No lo sé y prefiero no adivinar. Puede preguntarlo de otra manera o hablar con una persona.',
    stillNotKnown: 'Tampoco he encontrado respuesta a eso, así que pido a una persona que continúe.',
    asksWhich: 'No estoy seguro de haber entendido. ¿Se trata de alguno de estos temas?',
    filesGot:
      'Gracias, ha llegado. Yo no puedo abrir archivos: dígame con palabras de qué se trata o hable con una persona, que lo verá.',
  },
  pt: {
    notKnown:
      'Isso eu não sei e prefiro não adivinhar. Pode perguntar de outra forma ou falar com uma pessoa.',
    stillNotKnown: 'Também não encontrei resposta para isso, por isso vou pedir a uma pessoa que continue.',
    asksWhich: 'Não tenho certeza de ter entendido. É um destes assuntos?',
    filesGot:
      'Obrigado, chegou. Eu não consigo abrir arquivos: diga em palavras do que se trata ou fale com uma pessoa, que o verá.',
  },
  it: {
    notKnown:
      'Questo non lo so e preferisco non indovinare. Può chiederlo in un altro modo o parlare con una persona.',
    stillNotKnown: 'Non ho trovato risposta nemmeno a questo: chiedo a una persona di continuare.',
    asksWhich: 'Non sono sicuro di aver capito. Si tratta di uno di questi argomenti?',
    filesGot:
      'Grazie, è arrivato. Io non posso aprire i file: mi dica a parole di che cosa si tratta o parli con una persona, che lo vedrà.',
  },
  nl: {
    notKnown: 'Dat weet ik niet, en ik gok liever niet. Stel de vraag gerust anders, of praat met een mens.',
    stillNotKnown: 'Ook daarop heb ik geen antwoord gevonden, dus ik vraag een mens om het over te nemen.',
    asksWhich: 'Ik weet niet zeker of ik het goed begrijp. Gaat het om een van deze?',
    filesGot:
      'Bedankt, het is aangekomen. Zelf kan ik niet in bestanden kijken: zeg in woorden waar het om gaat, of praat met een mens, die het zal zien.',
  },
  pl: {
    notKnown: 'Tego nie wiem i wolę nie zgadywać. Można zapytać inaczej albo porozmawiać z człowiekiem.',
    stillNotKnown: 'Na to też nie znalazłem odpowiedzi, więc proszę kogoś z zespołu o przejęcie rozmowy.',
    asksWhich: 'Nie mam pewności, czy dobrze rozumiem. Czy chodzi o jedno z tych?',
    filesGot:
      'Dziękuję, dotarło. Sam nie mogę zajrzeć do plików: proszę napisać, o co chodzi, albo porozmawiać z człowiekiem, który to zobaczy.',
  },
  tr: {
    notKnown:
      'Bunu bilmiyorum ve tahmin etmek istemem. Başka türlü sorabilir ya da bir kişiyle konuşabilirsiniz.',
    stillNotKnown: 'Buna da bir yanıt bulamadım; ekipten birinin devralmasını istiyorum.',
    asksWhich: 'Doğru anladığımdan emin değilim. Bunlardan biri mi?',
    filesGot:
      'Teşekkürler, ulaştı. Dosyaların içine ben bakamıyorum: konunun ne olduğunu yazabilir ya da bunu görecek bir kişiyle konuşabilirsiniz.',
  },
  uk: {
    notKnown: 'Цього я не знаю і не хочу вгадувати. Можна запитати інакше або поговорити з людиною.',
    stillNotKnown: 'На це я теж не знайшов відповіді, тож прошу людину продовжити розмову.',
    asksWhich: 'Не впевнений, що правильно зрозумів. Це одне з цього?',
    filesGot:
      'Дякую, отримано. Сам я не можу переглядати файли: напишіть словами, про що йдеться, або поговоріть з людиною, яка це побачить.',
  },
  ja: {
    notKnown: 'その質問にはお答えできません。推測は控えます。別の言い方で聞くか、担当者とお話しください。',
    stillNotKnown: 'こちらも答えが見つかりませんでした。担当者に引き継ぎます。',
    asksWhich: '正しく理解できたか自信がありません。次のどれかでしょうか？',
    filesGot:
      'ありがとうございます、受け取りました。私はファイルの中身を見ることができません。内容を言葉でお書きいただくか、ファイルを確認できる担当者とお話しください。',
  },
  zh: {
    notKnown: '这个问题我不知道，也不想乱猜。您可以换一种问法，或与人工客服交谈。',
    stillNotKnown: '这个问题我也没有找到答案，正在请人工客服接手。',
    asksWhich: '我不确定是否理解正确。您问的是下面其中之一吗？',
    filesGot: '谢谢，已经收到。我无法查看文件内容：请用文字说明是什么事，或与能看到文件的人工客服交谈。',
  },
  ar: {
    notKnown: 'لا أعرف الجواب ولا أريد أن أخمّن. يمكنك طرح السؤال بطريقة أخرى أو التحدث إلى شخص.',
    stillNotKnown: 'لم أجد جوابًا لهذا أيضًا، لذلك أطلب من أحد أفراد الفريق أن يتولى المحادثة.',
    asksWhich: 'لست متأكدًا من أنني فهمت. هل تقصد أحد هذه؟',
    filesGot:
      'شكرًا، لقد وصل. لا يمكنني الاطلاع على الملفات بنفسي: اكتب لي بالكلمات ما الموضوع، أو تحدث إلى شخص سيرى ما أرسلته.',
  },
  he: {
    notKnown: 'את זה אני לא יודע, ואני מעדיף לא לנחש. אפשר לשאול אחרת או לדבר עם אדם.',
    stillNotKnown: 'גם לזה לא מצאתי תשובה, ולכן אני מבקש מאדם מהצוות להמשיך.',
    asksWhich: 'אני לא בטוח שהבנתי. האם הכוונה לאחד מאלה?',
    filesGot:
      'תודה, זה הגיע. אני עצמי לא יכול לראות קבצים: אפשר לכתוב לי במילים במה מדובר, או לדבר עם אדם שיראה את זה.',
  },
};

/** What the bot says when it doesn't know; the last time it calls a person as well. */
export const notKnown = (language: Language, callsPerson: boolean): string =>
  callsPerson ? PHRASES[language].stillNotKnown : PHRASES[language].notKnown;

/** Above the titles of articles, which the widget shows as choices. */
export const asksWhich = (language: Language): string => PHRASES[language].asksWhich;

/** To files that came without a word. */
export const filesGot = (language: Language): string => PHRASES[language].filesGot;
