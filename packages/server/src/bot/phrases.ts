import type { Language } from '@foyer/protocol/values/languages';

/** The bot's own phrases, in the visitor's language. */
interface Phrases {
  readonly notKnown: string;
  /** The last time, when it also hands the chat over. */
  readonly stillNotKnown: string;
  /** Above the titles of articles, which the widget shows as choices. */
  readonly asksWhich: string;
  /** The same above one title. */
  readonly asksIf: string;
  /** The reply to files without a text. */
  readonly filesGot: string;
}

const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    notKnown:
      'I don’t know that one, and I’d rather not guess. You can ask it another way, or talk to a person.',
    stillNotKnown: 'I couldn’t find an answer to that either, so I’m asking a person to take over.',
    asksWhich: 'I’m not sure I understood. Is it one of these?',
    asksIf: 'I’m not sure I understood. Is it this?',
    filesGot:
      'Thanks, I got it. I can’t open files myself, so please tell me what it’s about, or talk to a person, who can see it.',
  },
  de: {
    notKnown:
      'Das weiß ich leider nicht, und raten möchte ich nicht. Stellen Sie die Frage gern anders, oder sprechen Sie mit einem Menschen.',
    stillNotKnown:
      'Auch darauf habe ich keine Antwort gefunden. Ich bitte jemanden aus dem Team zu übernehmen.',
    asksWhich: 'Ich bin nicht sicher, ob ich Sie richtig verstanden habe. Geht es um eines davon?',
    asksIf: 'Ich bin nicht sicher, ob ich Sie richtig verstanden habe. Geht es darum?',
    filesGot:
      'Danke, das ist angekommen. Ich kann selbst keine Dateien öffnen. Beschreiben Sie bitte, worum es geht, oder sprechen Sie mit einem Menschen, der sie sehen kann.',
  },
  fr: {
    notKnown:
      'Je ne connais pas la réponse et je préfère ne pas deviner. Vous pouvez reformuler la question ou parler à un conseiller.',
    stillNotKnown:
      "Je n'ai pas trouvé de réponse à cela non plus : je demande à un conseiller de prendre le relais.",
    asksWhich: "Je ne suis pas certain d'avoir compris. S'agit-il de l'un de ces sujets ?",
    asksIf: "Je ne suis pas certain d'avoir compris. S'agit-il de ceci ?",
    filesGot:
      "Merci, c'est bien arrivé. Je ne peux pas ouvrir de fichiers moi-même : dites-moi en quelques mots de quoi il s'agit, ou parlez à un conseiller, qui pourra le voir.",
  },
  es: {
    notKnown: 'No lo sé y prefiero no adivinar. Puede preguntarlo de otra manera o hablar con un agente.',
    stillNotKnown: 'Tampoco he encontrado respuesta a eso, así que voy a pedir a un agente que continúe.',
    asksWhich: 'No estoy seguro de haber entendido. ¿Se trata de alguno de estos temas?',
    asksIf: 'No estoy seguro de haber entendido. ¿Se trata de esto?',
    filesGot:
      'Gracias, lo he recibido. No puedo abrir archivos: cuénteme de qué se trata o hable con un agente, que podrá verlo.',
  },
  pt: {
    notKnown:
      'Isso eu não sei e prefiro não adivinhar. Você pode perguntar de outra forma ou falar com um atendente.',
    stillNotKnown: 'Também não encontrei resposta para isso, por isso vou pedir a um atendente que continue.',
    asksWhich: 'Não tenho certeza de ter entendido. É um destes assuntos?',
    asksIf: 'Não tenho certeza de ter entendido. É este assunto?',
    filesGot:
      'Obrigado, recebi. Não consigo abrir arquivos: diga do que se trata ou fale com um atendente, que poderá vê-lo.',
  },
  it: {
    notKnown:
      'Questo non lo so e preferisco non tirare a indovinare. Può chiederlo in un altro modo o parlare con un operatore.',
    stillNotKnown: 'Non ho trovato risposta nemmeno a questo: chiedo a un operatore di continuare.',
    asksWhich: 'Non sono sicuro di aver capito. Si tratta di uno di questi argomenti?',
    asksIf: 'Non sono sicuro di aver capito. Si tratta di questo?',
    filesGot:
      'Grazie, ricevuto. Non posso aprire i file: mi dica di che cosa si tratta o parli con un operatore, che potrà vederlo.',
  },
  nl: {
    notKnown:
      'Dat weet ik niet, en ik gok liever niet. Stel de vraag gerust anders, of praat met een medewerker.',
    stillNotKnown:
      'Ook daarop heb ik geen antwoord gevonden, dus ik vraag een medewerker om het over te nemen.',
    asksWhich: 'Ik weet niet zeker of ik u goed begrijp. Gaat het om een van deze?',
    asksIf: 'Ik weet niet zeker of ik u goed begrijp. Gaat het hierom?',
    filesGot:
      'Bedankt, ik heb het ontvangen. Zelf kan ik geen bestanden openen: vertel me waar het om gaat, of praat met een medewerker, die het kan bekijken.',
  },
  pl: {
    notKnown: 'Tego nie wiem i wolę nie zgadywać. Możesz zapytać inaczej albo porozmawiać z konsultantem.',
    stillNotKnown: 'Na to też nie znalazłem odpowiedzi, więc proszę kogoś z zespołu o przejęcie rozmowy.',
    asksWhich: 'Nie mam pewności, czy dobrze rozumiem. Czy chodzi o jedno z tych?',
    asksIf: 'Nie mam pewności, czy dobrze rozumiem. Czy chodzi o to?',
    filesGot:
      'Dziękuję, dotarło. Nie mogę otwierać plików: napisz, o co chodzi, albo porozmawiaj z konsultantem, który to zobaczy.',
  },
  tr: {
    notKnown:
      'Bunu bilmiyorum ve tahmin yürütmek istemem. Başka türlü sorabilir ya da bir temsilciyle görüşebilirsiniz.',
    stillNotKnown: 'Buna da bir yanıt bulamadım; ekipten birinin devralmasını istiyorum.',
    asksWhich: 'Doğru anladığımdan emin değilim. Bunlardan biri mi?',
    asksIf: 'Doğru anladığımdan emin değilim. Bunu mu soruyorsunuz?',
    filesGot:
      'Teşekkürler, aldım. Dosyaları açamıyorum: konunun ne olduğunu yazabilir ya da dosyayı görebilecek bir temsilciyle görüşebilirsiniz.',
  },
  uk: {
    notKnown: 'Цього я не знаю і не хочу вгадувати. Можна запитати інакше або поговорити з оператором.',
    stillNotKnown: 'На це я теж не знайшов відповіді, тож прошу оператора продовжити розмову.',
    asksWhich: 'Не впевнений, що правильно зрозумів. Ідеться про щось із цього?',
    asksIf: 'Не впевнений, що правильно зрозумів. Ідеться про це?',
    filesGot:
      'Дякую, отримав. Я не можу відкривати файли: напишіть, про що йдеться, або поговоріть з оператором, який зможе їх переглянути.',
  },
  ja: {
    notKnown:
      '申し訳ありませんが、わかりかねます。不確かなお答えは控えます。別の言い方でお尋ねいただくか、担当者とお話しください。',
    stillNotKnown: 'こちらも答えが見つかりませんでした。担当者に引き継ぎます。',
    asksWhich: '正しく理解できたか自信がありません。次のどれかでしょうか？',
    asksIf: '正しく理解できたか自信がありません。こちらのことでしょうか？',
    filesGot:
      'ありがとうございます、受け取りました。私はファイルを開くことができません。内容をお書きいただくか、ファイルを確認できる担当者とお話しください。',
  },
  zh: {
    notKnown: '这个问题我不清楚，也不想乱猜。您可以换一种问法，或转人工客服。',
    stillNotKnown: '这个问题我也没有找到答案，正在请人工客服接手。',
    asksWhich: '我不确定是否理解正确。您问的是下面其中之一吗？',
    asksIf: '我不确定是否理解正确。您问的是这个吗？',
    filesGot: '谢谢，已收到。我无法打开文件：请用文字说明是什么事，或转能查看文件的人工客服。',
  },
  ar: {
    notKnown: 'لا أعرف الجواب ولا أريد أن أخمّن. يمكنك طرح السؤال بطريقة أخرى أو التحدث إلى موظف.',
    stillNotKnown: 'لم أجد جوابًا لهذا أيضًا، لذلك أطلب من أحد أفراد الفريق أن يتولى المحادثة.',
    asksWhich: 'لست متأكدًا من أنني فهمت. هل تقصد أحد هذه؟',
    asksIf: 'لست متأكدًا من أنني فهمت. هل تقصد هذا؟',
    filesGot: 'شكرًا، لقد وصل. لا يمكنني فتح الملفات: اكتب لي ما الموضوع، أو تحدث إلى موظف يمكنه رؤيتها.',
  },
  he: {
    notKnown: 'את זה אני לא יודע, ואני מעדיף לא לנחש. אפשר לשאול אחרת או לדבר עם נציג.',
    stillNotKnown: 'גם לזה לא מצאתי תשובה, ולכן אני מבקש מנציג להמשיך.',
    asksWhich: 'אני לא בטוח שהבנתי. האם הכוונה לאחד מאלה?',
    asksIf: 'אני לא בטוח שהבנתי. האם הכוונה לזה?',
    filesGot:
      'תודה, קיבלתי. אני לא יכול לפתוח קבצים: אפשר לכתוב לי במה מדובר, או לדבר עם נציג שיוכל לראות אותם.',
  },
};

/** What the bot says when it doesn't know; the last time it also hands the chat over. */
export const notKnown = (language: Language, callsPerson: boolean): string =>
  callsPerson ? PHRASES[language].stillNotKnown : PHRASES[language].notKnown;

/** Above this many titles of articles and labels of actions, which the widget shows as choices. */
export const asksWhich = (language: Language, choices: number): string =>
  PHRASES[language][choices === 1 ? 'asksIf' : 'asksWhich'];

/** The reply to files without a text. */
export const filesGot = (language: Language): string => PHRASES[language].filesGot;
