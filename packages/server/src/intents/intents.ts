import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import { Classifier } from './classifier.ts';
import { INTENT_CLASSIFIER, LANGUAGE_CLASSIFIER } from './classifiers.generated.ts';
import { SMALL_TALK, SMALL_TALK_REPLIES } from './small-talk-replies.ts';

/**
 * What a message may want, beside an answer (`question`). Learned from the examples of 14 languages in `examples/` by
 * `bench/intents.ts`, which also tells how often it is wrong.
 */
export const INTENTS = ['person', 'callback', 'complaint', 'emergency', ...SMALL_TALK, 'question'] as const;
export type Intent = (typeof INTENTS)[number];

const intents = new Classifier<Intent>(INTENT_CLASSIFIER);
const languages = new Classifier<Language>(LANGUAGE_CLASSIFIER);

/**
 * How likely a message must be a complaint, an emergency or small talk before it is taken for one: the less, the less
 * the articles have to say to it. Many a question begins with what went wrong, and many are as short as a greeting.
 */
const LIKELY_FROM = {
  /** Before the articles are asked, which may answer it. */
  first: 0.8,
  /** Where the bot would ask which article is meant. */
  ask: 0.55,
  /** Where it would have to say that it doesn't know. */
  unknown: 0.45,
} as const;
export type When = keyof typeof LIKELY_FROM;

const PERSON_FROM = 0.5;
/** Small talk is short; in a longer message there is more. */
const SMALL_TALK_MAX_CHARS = 80;
const LANGUAGE_FROM = 0.6;
const SAYS_SOMETHING = /[\p{L}\p{Extended_Pictographic}]/u;

/** Why a person should take over: what the visitor wants of one. */
export type Need = 'person' | 'callback' | 'complaint' | 'emergency';

/** What the visitor wants of a person, if that is sure enough. */
export function needOf(message: string, when: When = 'first'): Need | undefined {
  if (!SAYS_SOMETHING.test(message)) return undefined;
  const { person, callback, complaint, emergency } = intents.probabilities(message);
  if (person + callback >= PERSON_FROM) return callback > person ? 'callback' : 'person';
  if (complaint + emergency < LIKELY_FROM[when]) return undefined;
  return emergency > complaint ? 'emergency' : 'complaint';
}

/** Whether the visitor asks for a person. */
export function asksForPerson(message: string): boolean {
  const need = needOf(message);
  return need === 'person' || need === 'callback';
}

/**
 * A short reply to a message that is nothing but small talk, in its language, or in `spoken` where that can't be told;
 * null for anything more.
 */
export function smallTalkReply(
  message: string,
  spoken: Language = 'en',
  when: When = 'first',
): string | null {
  if (!SAYS_SOMETHING.test(message) || message.length > SMALL_TALK_MAX_CHARS) return null;
  const likely = intents.probabilities(message);
  const sum = SMALL_TALK.reduce((total, kind) => total + likely[kind], 0);
  if (sum < LIKELY_FROM[when]) return null;
  const kind = SMALL_TALK.reduce((most, each) => (likely[each] > likely[most] ? each : most));
  return SMALL_TALK_REPLIES[languageOf(message) ?? spoken][kind];
}

/** The language of a message, of those that the widget speaks; undefined where too little tells it. */
function languageOf(message: string): Language | undefined {
  const likely = languages.probabilities(message);
  return LANGUAGES.find((language) => likely[language] >= LANGUAGE_FROM);
}
