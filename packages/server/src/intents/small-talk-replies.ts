import type { Language } from '@foyer/protocol/values/languages';

/** Kinds of small talk: it deserves a reply, but no answer. */
export const SMALL_TALK = ['greeting', 'thanks', 'goodbye', 'okay', 'bot'] as const;
export type SmallTalk = (typeof SMALL_TALK)[number];

/** The bot's replies to small talk, in each language of the widget. */
export const SMALL_TALK_REPLIES: Readonly<Record<Language, Readonly<Record<SmallTalk, string>>>> = {
  en: {
    greeting: 'Hello! How can I help you?',
    thanks: 'You’re welcome! Is there anything else I can help with?',
    goodbye: 'Goodbye, and thanks for stopping by!',
    okay: 'Good. Is there anything else I can help with?',
    bot: 'I’m a bot and answer from our help articles. Ask me anything, or ask to talk to a person.',
  },
  de: {
    greeting: 'Hallo! Wie kann ich helfen?',
    thanks: 'Gern geschehen! Kann ich sonst noch helfen?',
    goodbye: 'Auf Wiedersehen und danke für den Besuch!',
    okay: 'Gut. Kann ich sonst noch helfen?',
    bot: 'Ich bin ein Bot und antworte mit unseren Hilfeartikeln. Fragen Sie mich alles, oder bitten Sie um ein Gespräch mit einem Menschen.',
  },
  fr: {
    greeting: 'Bonjour ! Comment puis-je vous aider ?',
    thanks: 'Avec plaisir ! Puis-je vous aider pour autre chose ?',
    goodbye: 'Au revoir et merci de votre visite !',
    okay: 'Très bien. Puis-je vous aider pour autre chose ?',
    bot: "Je suis un bot et je réponds à partir de nos articles d'aide. Posez-moi vos questions ou demandez à parler à un conseiller.",
  },
  es: {
    greeting: '¡Hola! ¿En qué puedo ayudarle?',
    thanks: '¡De nada! ¿Puedo ayudarle en algo más?',
    goodbye: '¡Hasta luego y gracias por la visita!',
    okay: 'De acuerdo. ¿Puedo ayudarle en algo más?',
    bot: 'Soy un bot y respondo con nuestros artículos de ayuda. Pregúnteme lo que quiera o pida hablar con un agente.',
  },
  pt: {
    greeting: 'Olá! Como posso ajudar?',
    thanks: 'De nada! Posso ajudar em mais alguma coisa?',
    goodbye: 'Até logo e obrigado pela visita!',
    okay: 'Certo. Posso ajudar em mais alguma coisa?',
    bot: 'Sou um bot e respondo com os nossos artigos de ajuda. Pergunte o que quiser ou peça para falar com um atendente.',
  },
  it: {
    greeting: 'Buongiorno! Come posso aiutarla?',
    thanks: 'Prego! Posso aiutarla in altro?',
    goodbye: 'Arrivederci e grazie della visita!',
    okay: 'Bene. Posso aiutarla in altro?',
    bot: 'Sono un bot e rispondo in base ai nostri articoli della guida. Mi chieda pure, oppure chieda di parlare con un operatore.',
  },
  nl: {
    greeting: 'Hallo! Waarmee kan ik helpen?',
    thanks: 'Graag gedaan! Kan ik u nog ergens mee helpen?',
    goodbye: 'Tot ziens en bedankt voor het bezoek!',
    okay: 'Prima. Kan ik u nog ergens mee helpen?',
    bot: 'Ik ben een bot en antwoord op basis van onze helpartikelen. Vraag me gerust iets, of vraag naar een medewerker.',
  },
  pl: {
    greeting: 'Dzień dobry! W czym mogę pomóc?',
    thanks: 'Proszę bardzo! Czy mogę jeszcze w czymś pomóc?',
    goodbye: 'Do widzenia i dziękujemy za wizytę!',
    okay: 'Dobrze. Czy mogę jeszcze w czymś pomóc?',
    bot: 'Jestem botem i odpowiadam na podstawie naszych artykułów pomocy. Pytaj o wszystko albo poproś o rozmowę z konsultantem.',
  },
  tr: {
    greeting: 'Merhaba! Nasıl yardımcı olabilirim?',
    thanks: 'Rica ederim! Başka bir konuda yardımcı olabilir miyim?',
    goodbye: 'Hoşça kalın, ziyaretiniz için teşekkürler!',
    okay: 'Tamam. Başka bir konuda yardımcı olabilir miyim?',
    bot: 'Yardım makalelerimizden yanıt veren bir botum. Dilediğinizi sorabilir ya da bir temsilciyle görüşmek isteyebilirsiniz.',
  },
  uk: {
    greeting: 'Вітаю! Чим можу допомогти?',
    thanks: 'Будь ласка! Можу ще чимось допомогти?',
    goodbye: 'До побачення, дякуємо за візит!',
    okay: 'Добре. Можу ще чимось допомогти?',
    bot: 'Я бот і відповідаю на основі наших статей довідки. Запитуйте або попросіть покликати оператора.',
  },
  ja: {
    greeting: 'こんにちは！どのようなご用件でしょうか？',
    thanks: 'どういたしまして。ほかにご質問はありますか？',
    goodbye: 'ご利用ありがとうございました。',
    okay: '承知しました。ほかにご質問はありますか？',
    bot: 'ヘルプ記事をもとにお答えするボットです。何でもお尋ねください。担当者をお呼びすることもできます。',
  },
  zh: {
    greeting: '您好！请问有什么可以帮您？',
    thanks: '不客气！还有什么可以帮您的吗？',
    goodbye: '再见，感谢您的光临！',
    okay: '好的。还有什么可以帮您的吗？',
    bot: '我是机器人，根据我们的帮助文章回答问题。请随时提问，也可以要求转人工客服。',
  },
  ar: {
    greeting: 'مرحبًا! كيف يمكنني مساعدتك؟',
    thanks: 'على الرحب والسعة! هل يمكنني مساعدتك في شيء آخر؟',
    goodbye: 'مع السلامة وشكرًا لزيارتك!',
    okay: 'حسنًا. هل يمكنني مساعدتك في شيء آخر؟',
    bot: 'أنا مساعد آلي أجيب من مقالات المساعدة لدينا. اسألني ما تشاء أو اطلب التحدث إلى موظف.',
  },
  he: {
    greeting: 'שלום! איך אפשר לעזור?',
    thanks: 'בשמחה! אפשר לעזור בעוד משהו?',
    goodbye: 'להתראות ותודה על הביקור!',
    okay: 'בסדר. אפשר לעזור בעוד משהו?',
    bot: 'אני בוט ועונה מתוך מאמרי העזרה שלנו. אפשר לשאול אותי הכול, או לבקש לדבר עם נציג.',
  },
};
