import type { Language } from '@foyer/protocol';
import type { LanguageModel, TokenCount } from '../../ai/language-model.ts';
import { withoutCourtesy } from '../../intents/courtesy.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import type { Passage } from '../../knowledge/search/passages.ts';
import type { SearchIndex } from '../../knowledge/search/search-index.ts';
import { fusedByRank } from '../../knowledge/search/vectors/passage-vectors.ts';
import type { Turn } from '../bot-turn.ts';
import { headingOf, type SaidBefore } from './model-prompt.ts';
import { searchQueries } from './search-queries.ts';

const ARTICLES_READ = 5;
const PASSAGES_OF_ONE = 3;
const PASSAGES_MAX = 8;
const PASSAGES_MAX_CHARS = 8_000;

/** What a language model answers from. */
export interface PassagesForModel {
  readonly passages: readonly Passage[];
  /** The passages are all that is published; there was no search. */
  readonly isAll: boolean;
  /** The queries that were searched for instead of the question. */
  readonly queries: readonly string[];
  /** The tokens of rewriting the question. */
  readonly tokens: TokenCount | undefined;
}

/** All passages if they fit the operator's limit, else those that match the question best. */
export async function passagesForModel(
  turn: Turn,
  model: LanguageModel,
  asked: { language: Language; before: readonly SaidBefore[] },
): Promise<PassagesForModel> {
  const { services, site } = turn.ctx;
  const index = await services.indexes.indexOf(site.id);
  const all = allOf(index, services.languageModels.articlesMaxChars);
  if (all !== undefined) return { passages: all, isAll: true, queries: [], tokens: undefined };
  const { queries, tokens } = await searchQueries(turn, model, index, asked);
  return { passages: await bestOf(index, turn, queries), isAll: false, queries, tokens };
}

/** In an order that doesn't depend on the question, so that prompts have the same beginning. */
function allOf(index: SearchIndex, maxChars: number): Passage[] | undefined {
  const passages = index.passages().filter(({ markdown }) => markdown !== '');
  let size = 0;
  for (const passage of passages) {
    size += headingOf(passage).length + passage.markdown.length;
    if (size > maxChars) return undefined;
  }
  return passages.toSorted((one, other) => one.articleId - other.articleId);
}

/** The best passages of the best articles, limited in number and length. */
async function bestOf(
  index: SearchIndex,
  { ctx, question, previousQuestion }: Turn,
  queries: readonly string[],
): Promise<Passage[]> {
  const asked = withoutCourtesy(bounded(question));
  const found = (text: string): Passage[] =>
    index
      .search(text, ARTICLES_READ)
      .flatMap(({ passages }) => passages.slice(0, PASSAGES_OF_ONE).map(({ passage }) => passage))
      .filter(({ markdown }) => markdown !== '');
  const near = async (text: string): Promise<readonly Passage[]> =>
    (await ctx.services.vectors?.nearest(ctx.site.id, text, PASSAGES_MAX))?.passages ?? [];
  const fused = async (texts: readonly string[]): Promise<Passage[]> =>
    fusedByRank((await Promise.all(texts.map(async (text) => [found(text), await near(text)]))).flat());
  const alone = await fused([asked]);
  // The model's queries say more than the question's own words. Without them, the previous question may give the
  // context.
  const [first, second] =
    queries.length > 0
      ? [await fused(queries), alone]
      : [alone, previousQuestion === undefined ? [] : found(`${bounded(previousQuestion)} ${asked}`)];
  const kept: Passage[] = [];
  let size = 0;
  for (const passage of new Set([...first.slice(0, PASSAGES_MAX - 2), ...second, ...first])) {
    size += passage.markdown.length;
    if (kept.length >= PASSAGES_MAX || size > PASSAGES_MAX_CHARS) break;
    kept.push(passage);
  }
  return kept;
}

const bounded = (message: string): string => message.slice(0, MESSAGE_MAX_CHARS).toWellFormed();
