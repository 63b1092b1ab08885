import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import { Classifier } from './classifier.ts';
import { INTENT_CLASSIFIER, LANGUAGE_CLASSIFIER } from './classifiers.generated.ts';
import { SMALL_TALK, SMALL_TALK_REPLIES } from './small-talk-replies.ts';

/**
 * What a message may want, beside an answer (`question`). Learned from the examples of 14 languages in `examples/` by
 * `bench/intents.ts`, which also measures the error rate.
 */
export const INTENTS = ['person', 'callback', 'complaint', 'emergency', ...SMALL_TALK, 'question'] as const;
export type Intent = (typeof INTENTS)[number];

const intents = new Classifier<Intent>(INTENT_CLASSIFIER);
const languages = new Classifier<Language>(LANGUAGE_CLASSIFIER);

/**
 * How probable a complaint, an emergency or small talk must be: less, the less the articles have to say. Many questions
 * begin with what went wrong, and many are as short as a greeting.
 */
const LIKELY_FROM = {
  /** Before the articles are searched, which may have an answer. */
  first: 0.8,
  /** If the bot would ask which article is meant. */
  ask: 0.55,
  /** If it would have to say that it doesn't know. */
  unknown: 0.45,
} as const;
export type When = keyof typeof LIKELY_FROM;

const PERSON_FROM = 0.5;
/** Small talk is short; a longer message has other content too. */
const SMALL_TALK_MAX_CHARS = 80;
const LANGUAGE_FROM = 0.6;
const SAYS_SOMETHING = /[\p{L}\p{Extended_Pictographic}]/u;

/** Why a person should take over: the visitor's need. */
export type Need = 'person' | 'callback' | 'complaint' | 'emergency';

/** The visitor's need, if it is probable enough. */
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
 * A short reply to a message that is only small talk, in its language, or in `spoken` if that can't be detected; null
 * for any other message.
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

/** The language of a message, of those that the widget speaks; undefined if it can't be detected. */
function languageOf(message: string): Language | undefined {
  const likely = languages.probabilities(message);
  return LANGUAGES.find((language) => likely[language] >= LANGUAGE_FROM);
}
