import { type LanguageModel, ModelError, type Written } from '../../ai/language-model.ts';
import { withoutCourtesy } from '../../intents/courtesy.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import { fusedByRank } from '../../knowledge/search/passage-vectors.ts';
import type { Passage } from '../../knowledge/search/passages.ts';
import type { SearchIndex } from '../../knowledge/search/search-index.ts';
import type { Turn } from '../bot-turn.ts';
import type { AnswerSource, Decision } from './answer.ts';
import { readCited } from './cited-text.ts';
import { promptFor } from './model-prompt.ts';
import { modelUseOf } from './model-use.ts';

/** Of a model's answer, its citations included; shown as it grows, it has to fit a notice between processes. */
const WRITTEN_MAX_CHARS = 2_000;
const ARTICLES_READ = 5;
const PASSAGES_OF_ONE = 3;
const PASSAGES_MAX = 8;
const PASSAGES_MAX_CHARS = 8_000;
/** How often those who follow the chat are shown how far it is. */
const SHOWN_EVERY_MS = 120;
const ALIVE_EVERY_MS = 5_000;

/**
 * Answers from the passages that meet the question best, as the language model puts them. Undefined where the built-in
 * answer has to do: there is no model, its budget is spent, no passage fits, or it failed.
 */
export async function answerWithModel(turn: Turn): Promise<Decision | undefined> {
  const { ctx, question } = turn;
  const model = await ctx.services.languageModels.of(ctx);
  if (model === undefined) return undefined;
  const passages = await passagesFor(await ctx.services.indexes.indexOf(ctx.site.id), turn);
  if (passages.length === 0 || !(await turn.mayAskModel())) return undefined;
  const asked = question.slice(0, MESSAGE_MAX_CHARS).toWellFormed();
  const prompt = promptFor(asked, passages, await turn.before(), await modelUseOf(ctx));
  const sourceTexts = passages.map((passage) => passage.markdown);
  const written = await write(turn, model, prompt, sourceTexts);
  if (written === undefined) return undefined;
  const { text, cited } = readCited(written.text, sourceTexts, true);
  const { tokens } = written;
  if (text === '' || cited.length === 0) return { kind: 'unknown', confidence: 0, tokens };
  return { kind: 'answer', text, sources: sourcesOf(passages, cited), confidence: 1, tokens };
}

/** Undefined when the model is of no use; then nothing of what was shown remains. */
async function write(
  { ctx, show }: Turn,
  model: LanguageModel,
  prompt: { instructions: string; messages: Parameters<LanguageModel['write']>[0]['messages'] },
  sourceTexts: readonly string[],
): Promise<Written | undefined> {
  let shownAt = 0;
  let shown = '';
  const onText = (soFar: string): void => {
    if (performance.now() - shownAt < SHOWN_EVERY_MS) return;
    const { text } = readCited(soFar, sourceTexts, false);
    if (text === shown) return;
    shownAt = performance.now();
    shown = text;
    show?.(text);
  };
  // Who waits for the first word sees that it is being written.
  const alive = setInterval(() => show?.(shown), ALIVE_EVERY_MS);
  try {
    show?.('');
    return await model.write({ ...prompt, maxChars: WRITTEN_MAX_CHARS, onText });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    ctx.log.warn({ err: error }, 'the language model gave no usable answer; the built-in bot answers');
    show?.('');
    return undefined;
  } finally {
    clearInterval(alive);
  }
}

/** The best passages of the best articles, at most so many and so long. */
async function passagesFor(
  index: SearchIndex,
  { ctx, question, previousQuestion }: Turn,
): Promise<Passage[]> {
  const asked = withoutCourtesy(question.slice(0, MESSAGE_MAX_CHARS));
  const found = (text: string): Passage[] =>
    index
      .search(text, ARTICLES_READ)
      .flatMap(({ passages }) => passages.slice(0, PASSAGES_OF_ONE).map(({ passage }) => passage))
      .filter(({ markdown }) => markdown !== '');
  // A question may only go on with the one before it, in a way that no list of words foresees.
  const near = (await ctx.services.vectors?.nearest(ctx.site.id, asked, PASSAGES_MAX)) ?? [];
  const alone = fusedByRank([found(asked), near]);
  const together =
    previousQuestion === undefined ? [] : found(`${previousQuestion.slice(0, MESSAGE_MAX_CHARS)} ${asked}`);
  const kept: Passage[] = [];
  let size = 0;
  for (const passage of new Set([...alone.slice(0, PASSAGES_MAX - 2), ...together, ...alone])) {
    size += passage.markdown.length;
    if (kept.length >= PASSAGES_MAX || size > PASSAGES_MAX_CHARS) break;
    kept.push(passage);
  }
  return kept;
}

function sourcesOf(passages: readonly Passage[], cited: readonly number[]): AnswerSource[] {
  const sources = cited.flatMap((place): [number, AnswerSource][] => {
    const passage = passages[place];
    if (passage === undefined) return [];
    return [[passage.articleId, { article_id: passage.articleId, title: passage.title }]];
  });
  return [...new Map(sources).values()];
}
