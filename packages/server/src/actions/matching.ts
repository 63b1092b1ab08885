import { isFunctionWord, knownLanguageOf, LANGUAGES, stem } from '../text/languages.ts';
import { folded, wordsOf } from '../text/words.ts';
import type { ActionRow } from './actions.ts';

/** How many actions are offered beside articles. */
const OFFERED_MAX = 2;
/** The share of an example's words that the question must have. */
const OFFERED_FROM = 0.6;

type Described = Pick<ActionRow, 'name' | 'label' | 'examples'>;

/** The words of a text that say something, as stems. */
function contentOf(text: string): Set<string> {
  const words = wordsOf(text);
  const known = knownLanguageOf(words);
  const content = words.filter((word) => !isFunctionWord(word, known === undefined ? LANGUAGES : [known]));
  return new Set(content.map((word) => stem(word, known ?? 'en')));
}

/** 0–1: how much of the phrase the question says. */
function likeness(phrase: ReadonlySet<string>, question: ReadonlySet<string>): number {
  return phrase.size === 0 ? 0 : [...phrase].filter((word) => question.has(word)).length / phrase.size;
}

/** The action whose label or one of whose examples the question repeats word for word. */
export function namedAction<A extends Described>(actions: readonly A[], question: string): A | undefined {
  const said = folded(question.trim());
  return (
    actions.find(({ label }) => folded(label.trim()) === said) ??
    actions.find(({ examples }) => examples.some((example) => folded(example.trim()) === said))
  );
}

/** The actions that the question is likely about, best first: by the words of their labels, names and examples. */
export function actionsFor<A extends Described>(actions: readonly A[], question: string): A[] {
  const asked = contentOf(question);
  return actions
    .map((action) => {
      const phrases = [action.label, action.name, ...action.examples].map(contentOf);
      return { action, like: Math.max(...phrases.map((phrase) => likeness(phrase, asked))) };
    })
    .filter(({ like }) => like >= OFFERED_FROM)
    .sort((one, other) => other.like - one.like)
    .slice(0, OFFERED_MAX)
    .map(({ action }) => action);
}
