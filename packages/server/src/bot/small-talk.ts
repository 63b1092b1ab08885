import { folded } from '../knowledge/words.ts';

type SmallTalkKind = 'greeting' | 'thanks' | 'goodbye' | 'bot';

interface SmallTalkLanguage {
  readonly phrases: Readonly<Record<SmallTalkKind, readonly string[]>>;
  readonly replies: Readonly<Record<SmallTalkKind, string>>;
}

/** Words that may stand beside small talk without making it more ("hi there", "thanks a lot"). */
const FILLERS = new Set(
  'there all everyone team so very much a lot again you guys friend sir madam und viele sehr beaucoup bien muchas muchos mille tanto muito obrigada dank je wel'.split(
    ' ',
  ),
);
const LONGEST_CHARS = 60;

/** Phrases as `folded` writes them. */
const LANGUAGES: readonly SmallTalkLanguage[] = [
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
      thanks: "You're welcome! Is there anything else?",
      goodbye: 'Goodbye, and thank you for stopping by!',
      bot: "I'm an assistant that answers from our help articles. Ask me anything, or ask for a person.",
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
      thanks: 'Gern geschehen! Gibt es noch etwas?',
      goodbye: 'Auf Wiedersehen und danke für den Besuch!',
      bot: 'Ich bin ein Assistent und antworte aus unseren Hilfeartikeln. Auf Wunsch hole ich gern einen Menschen.',
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
      thanks: 'Avec plaisir ! Autre chose ?',
      goodbye: 'Au revoir et merci de votre visite !',
      bot: "Je suis un assistant qui répond à partir de nos articles d'aide. Vous pouvez aussi demander une personne.",
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
      greeting: '¡Hola! ¿En qué puedo ayudar?',
      thanks: '¡De nada! ¿Algo más?',
      goodbye: '¡Hasta luego y gracias por la visita!',
      bot: 'Soy un asistente que responde con nuestros artículos de ayuda. También puede pedir una persona.',
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
      thanks: 'De nada! Mais alguma coisa?',
      goodbye: 'Até logo e obrigado pela visita!',
      bot: 'Sou um assistente que responde com os nossos artigos de ajuda. Também pode pedir uma pessoa.',
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
      greeting: 'Ciao! Come posso aiutare?',
      thanks: 'Prego! Serve altro?',
      goodbye: 'Arrivederci e grazie della visita!',
      bot: 'Sono un assistente che risponde dai nostri articoli di aiuto. Può anche chiedere di una persona.',
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
      thanks: 'Graag gedaan! Nog iets anders?',
      goodbye: 'Tot ziens en bedankt voor het bezoek!',
      bot: 'Ik ben een assistent en antwoord uit onze hulpartikelen. Je kunt ook om een mens vragen.',
    },
  },
];

/** A short reply to a message that is nothing but small talk, in its language; null for anything more. */
export function smallTalkReply(message: string): string | null {
  if (message.length > LONGEST_CHARS) return null;
  const words =
    folded(message)
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const whole = words.join(' ');
  const core = words.filter((word) => !FILLERS.has(word)).join(' ');
  for (const { phrases, replies } of LANGUAGES) {
    for (const kind of ['greeting', 'thanks', 'goodbye', 'bot'] as const) {
      if (phrases[kind].some((phrase) => phrase === whole || phrase === core)) return replies[kind];
    }
  }
  return null;
}

const OPENING =
  /^[\s\p{P}]*(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes|noches)|ol[aá]|oi|bom dia|boa (?:tarde|noite)|ciao|buongiorno|buonasera|salve|hoi|goede(?:morgen|middag|navond|ndag))(?: (?:there|all|everyone|team|guys|zusammen))?[\s,.!:;–-]+/iu;
const CLOSING =
  /[\s,.!?]+(?:many )?(?:thanks|thank you|thx|danke|vielen dank|merci|gracias|obrigad[oa]|grazie|bedankt|dank je)(?: (?:so much|very much|a lot|in advance|im voraus|d'avance))?[\s.!]*$/iu;

/** The message without its greeting and thanks, which would count as words that no article knows. */
export function withoutCourtesy(message: string): string {
  return message.replace(OPENING, '').replace(CLOSING, '');
}
