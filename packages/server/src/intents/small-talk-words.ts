type SmallTalkKind = 'greeting' | 'thanks' | 'goodbye' | 'bot';

interface SmallTalkLanguage {
  readonly phrases: Readonly<Record<SmallTalkKind, readonly string[]>>;
  readonly replies: Readonly<Record<SmallTalkKind, string>>;
}

/** Phrases as `folded` writes them. */
export const SMALL_TALK: readonly SmallTalkLanguage[] = [
  {
    phrases: {
      greeting: [
        'hi',
        'hello',
        'hey',
        'hiya',
        'good morning',
        'good afternoon',
        'good evening',
        'how are you',
        'hi how are you',
        'hello how are you',
      ],
      thanks: [
        'thanks',
        'thank you',
        'thank',
        'thx',
        'ty',
        'cheers',
        'perfect thanks',
        'great thanks',
        'ok thanks',
        'okay thank you',
        'ok thank you',
        'great thank you',
        'that helped',
        'that helps',
      ],
      goodbye: [
        'bye',
        'goodbye',
        'bye bye',
        'see you',
        'good night',
        'have a nice day',
        'thanks bye',
        'thank you bye',
      ],
      bot: [
        'are you a bot',
        'are you a robot',
        'are you human',
        'are you a human',
        'are you real',
        'are you a real person',
        'who are you',
        'what are you',
        'am i talking to a bot',
        'is this a bot',
        'what can you do',
      ],
    },
    replies: {
      greeting: 'Hello! How can I help you?',
      thanks: 'You’re welcome! Is there anything else I can help with?',
      goodbye: 'Goodbye, and thanks for stopping by!',
      bot: 'I’m a bot and answer from our help articles. Ask me anything, or ask to talk to a person.',
    },
  },
  {
    phrases: {
      greeting: [
        'hallo',
        'guten tag',
        'guten morgen',
        'guten abend',
        'moin',
        'servus',
        'gruss gott',
        'wie geht es dir',
        'wie gehts',
      ],
      thanks: ['danke', 'danke schon', 'dankeschon', 'vielen dank', 'besten dank'],
      goodbye: ['tschuss', 'auf wiedersehen', 'schonen tag noch', 'schonen tag'],
      bot: [
        'bist du ein bot',
        'sind sie ein bot',
        'bist du ein mensch',
        'sind sie ein mensch',
        'wer bist du',
        'bist du ein roboter',
      ],
    },
    replies: {
      greeting: 'Hallo! Wie kann ich helfen?',
      thanks: 'Gern geschehen! Kann ich sonst noch helfen?',
      goodbye: 'Auf Wiedersehen und danke für den Besuch!',
      bot: 'Ich bin ein Bot und antworte mit unseren Hilfeartikeln. Fragen Sie mich alles, oder bitten Sie um ein Gespräch mit einem Menschen.',
    },
  },
  {
    phrases: {
      greeting: ['bonjour', 'salut', 'bonsoir', 'coucou', 'ca va', 'comment allez vous'],
      thanks: ['merci', 'merci beaucoup', 'je vous remercie'],
      goodbye: ['au revoir', 'bonne journee', 'a bientot', 'bonne soiree'],
      bot: [
        'etes vous un robot',
        'es tu un robot',
        'etes vous humain',
        'qui es tu',
        'qui etes vous',
        'tu es un bot',
      ],
    },
    replies: {
      greeting: 'Bonjour ! Comment puis-je vous aider ?',
      thanks: 'Avec plaisir ! Puis-je vous aider pour autre chose ?',
      goodbye: 'Au revoir et merci de votre visite !',
      bot: "Je suis un bot et je réponds à partir de nos articles d'aide. Posez-moi vos questions ou demandez à parler à un conseiller.",
    },
  },
  {
    phrases: {
      greeting: [
        'hola',
        'buenos dias',
        'buenas tardes',
        'buenas noches',
        'buenas',
        'que tal',
        'hola que tal',
      ],
      thanks: ['gracias', 'muchas gracias', 'mil gracias'],
      goodbye: ['adios', 'hasta luego', 'chao'],
      bot: ['eres un bot', 'eres un robot', 'eres humano', 'quien eres'],
    },
    replies: {
      greeting: '¡Hola! ¿En qué puedo ayudarle?',
      thanks: '¡De nada! ¿Puedo ayudarle en algo más?',
      goodbye: '¡Hasta luego y gracias por la visita!',
      bot: 'Soy un bot y respondo con nuestros artículos de ayuda. Pregúnteme lo que quiera o pida hablar con un agente.',
    },
  },
  {
    phrases: {
      greeting: ['ola', 'oi', 'bom dia', 'boa tarde', 'boa noite', 'tudo bem', 'oi tudo bem'],
      thanks: ['obrigado', 'obrigada', 'muito obrigado', 'muito obrigada'],
      goodbye: ['tchau', 'ate logo', 'adeus'],
      bot: ['voce e um robo', 'voce e humano', 'quem e voce', 'voce e um bot'],
    },
    replies: {
      greeting: 'Olá! Como posso ajudar?',
      thanks: 'De nada! Posso ajudar em mais alguma coisa?',
      goodbye: 'Até logo e obrigado pela visita!',
      bot: 'Sou um bot e respondo com os nossos artigos de ajuda. Pergunte o que quiser ou peça para falar com um atendente.',
    },
  },
  {
    phrases: {
      greeting: ['ciao', 'buongiorno', 'buonasera', 'salve', 'come stai'],
      thanks: ['grazie', 'grazie mille', 'mille grazie'],
      goodbye: ['arrivederci', 'a presto', 'buona giornata'],
      bot: ['sei un bot', 'sei un robot', 'sei umano', 'chi sei'],
    },
    replies: {
      greeting: 'Buongiorno! Come posso aiutarla?',
      thanks: 'Prego! Posso aiutarla in altro?',
      goodbye: 'Arrivederci e grazie della visita!',
      bot: 'Sono un bot e rispondo in base ai nostri articoli della guida. Mi chieda pure, oppure chieda di parlare con un operatore.',
    },
  },
  {
    phrases: {
      greeting: ['goedemorgen', 'goedemiddag', 'goedenavond', 'goedendag', 'hoi', 'hallo daar'],
      thanks: ['dank je', 'dank je wel', 'dank u', 'dank u wel', 'bedankt', 'dankjewel'],
      goodbye: ['doei', 'tot ziens', 'fijne dag', 'fijne dag nog'],
      bot: ['ben je een bot', 'ben je een mens', 'ben jij een robot', 'wie ben je'],
    },
    replies: {
      greeting: 'Hallo! Waarmee kan ik helpen?',
      thanks: 'Graag gedaan! Kan ik u nog ergens mee helpen?',
      goodbye: 'Tot ziens en bedankt voor het bezoek!',
      bot: 'Ik ben een bot en antwoord op basis van onze helpartikelen. Vraag me gerust iets, of vraag naar een medewerker.',
    },
  },
  {
    phrases: {
      greeting: ['czesc', 'dzien dobry', 'dobry wieczor', 'witam', 'hejka', 'siema', 'jak sie masz'],
      thanks: ['dziekuje', 'dzieki', 'dziekuje bardzo', 'wielkie dzieki'],
      goodbye: ['do widzenia', 'na razie', 'pa', 'milego dnia', 'do zobaczenia'],
      bot: ['jestes botem', 'czy jestes botem', 'czy jestes czlowiekiem', 'kim jestes', 'czy to bot'],
    },
    replies: {
      greeting: 'Dzień dobry! W czym mogę pomóc?',
      thanks: 'Proszę bardzo! Czy mogę jeszcze w czymś pomóc?',
      goodbye: 'Do widzenia i dziękujemy za wizytę!',
      bot: 'Jestem botem i odpowiadam na podstawie naszych artykułów pomocy. Pytaj o wszystko albo poproś o rozmowę z konsultantem.',
    },
  },
  {
    phrases: {
      greeting: [
        'merhaba',
        'selam',
        'selamlar',
        'gunaydin',
        'iyi gunler',
        'iyi aksamlar',
        'nasilsiniz',
        'nasilsin',
      ],
      thanks: ['tesekkurler', 'tesekkur ederim', 'cok tesekkurler', 'sag ol', 'sagolun', 'sagol'],
      goodbye: ['hosca kal', 'hoscakalin', 'gorusuruz', 'gule gule', 'iyi geceler'],
      bot: ['bot musun', 'sen bot musun', 'robot musun', 'insan misin', 'kimsin', 'sen kimsin'],
    },
    replies: {
      greeting: 'Merhaba! Nasıl yardımcı olabilirim?',
      thanks: 'Rica ederim! Başka bir konuda yardımcı olabilir miyim?',
      goodbye: 'Hoşça kalın, ziyaretiniz için teşekkürler!',
      bot: 'Yardım makalelerimizden yanıt veren bir botum. Dilediğinizi sorabilir ya da bir temsilciyle görüşmek isteyebilirsiniz.',
    },
  },
  {
    phrases: {
      greeting: [
        'привіт',
        'добрий день',
        'доброго дня',
        'добрий вечір',
        'доброго ранку',
        'вітаю',
        'як справи',
      ],
      thanks: ['дякую', 'щиро дякую', 'спасибі'],
      goodbye: ['до побачення', 'бувай', 'на все добре', 'гарного дня'],
      bot: ['ти бот', 'ви бот', 'ти людина', 'ви людина', 'хто ти', 'хто ви'],
    },
    replies: {
      greeting: 'Вітаю! Чим можу допомогти?',
      thanks: 'Будь ласка! Можу ще чимось допомогти?',
      goodbye: 'До побачення, дякуємо за візит!',
      bot: 'Я бот і відповідаю на основі наших статей довідки. Запитуйте або попросіть покликати оператора.',
    },
  },
  {
    phrases: {
      greeting: [
        'こんにちは',
        'こんばんは',
        'おはよう',
        'おはようございます',
        'はじめまして',
        'もしもし',
        'やあ',
      ],
      thanks: [
        'ありがとう',
        'ありがとうございます',
        'ありがとうございました',
        'どうもありがとう',
        'どうも',
        '助かりました',
      ],
      goodbye: ['さようなら', 'またね', '失礼します', 'おやすみなさい', 'では'],
      bot: [
        'あなたはボットですか',
        'ボットですか',
        'ロボットですか',
        '人間ですか',
        'あなたは誰ですか',
        '誰ですか',
      ],
    },
    replies: {
      greeting: 'こんにちは！どのようなご用件でしょうか？',
      thanks: 'どういたしまして。ほかにご質問はありますか？',
      goodbye: 'ご利用ありがとうございました。',
      bot: 'ヘルプ記事をもとにお答えするボットです。何でもお尋ねください。担当者をお呼びすることもできます。',
    },
  },
  {
    phrases: {
      greeting: ['你好', '您好', '嗨', '哈喽', '早上好', '下午好', '晚上好', '在吗', '在嗎'],
      thanks: ['谢谢', '謝謝', '谢谢你', '谢谢您', '多谢', '非常感谢', '感谢'],
      goodbye: ['再见', '再見', '拜拜', '晚安'],
      bot: ['你是机器人吗', '你是机器人', '你是真人吗', '你是人吗', '你是谁', '您是机器人吗'],
    },
    replies: {
      greeting: '您好！请问有什么可以帮您？',
      thanks: '不客气！还有什么可以帮您的吗？',
      goodbye: '再见，感谢您的光临！',
      bot: '我是机器人，根据我们的帮助文章回答问题。请随时提问，也可以要求转人工客服。',
    },
  },
  {
    phrases: {
      greeting: [
        'مرحبا',
        'السلام عليكم',
        'اهلا',
        'اهلا وسهلا',
        'صباح الخير',
        'مساء الخير',
        'هلا',
        'كيف حالك',
      ],
      thanks: ['شكرا', 'شكرا جزيلا', 'شكرا لك', 'مشكور'],
      goodbye: ['مع السلامة', 'وداعا', 'الى اللقاء', 'تصبح على خير'],
      bot: ['هل انت روبوت', 'انت روبوت', 'هل انت انسان', 'من انت', 'هل انت بوت'],
    },
    replies: {
      greeting: 'مرحبًا! كيف يمكنني مساعدتك؟',
      thanks: 'على الرحب والسعة! هل يمكنني مساعدتك في شيء آخر؟',
      goodbye: 'مع السلامة وشكرًا لزيارتك!',
      bot: 'أنا مساعد آلي أجيب من مقالات المساعدة لدينا. اسألني ما تشاء أو اطلب التحدث إلى موظف.',
    },
  },
  {
    phrases: {
      greeting: ['שלום', 'היי', 'הי', 'אהלן', 'בוקר טוב', 'צהריים טובים', 'ערב טוב', 'מה שלומך', 'מה נשמע'],
      thanks: ['תודה', 'תודה רבה', 'המון תודה'],
      goodbye: ['להתראות', 'ביי', 'לילה טוב', 'יום טוב'],
      bot: ['אתה בוט', 'האם אתה בוט', 'אתה רובוט', 'אתה בן אדם', 'מי אתה'],
    },
    replies: {
      greeting: 'שלום! איך אפשר לעזור?',
      thanks: 'בשמחה! אפשר לעזור בעוד משהו?',
      goodbye: 'להתראות ותודה על הביקור!',
      bot: 'אני בוט ועונה מתוך מאמרי העזרה שלנו. אפשר לשאול אותי הכול, או לבקש לדבר עם נציג.',
    },
  },
];
