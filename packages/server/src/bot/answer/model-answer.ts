import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { type LanguageModel, ModelError, type Written } from '../../ai/language-model.ts';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import { withoutCourtesy } from '../../intents/small-talk.ts';
import { fusedByRank } from '../../knowledge/search/passage-vectors.ts';
import type { Passage } from '../../knowledge/search/passages.ts';
import type { SearchIndex } from '../../knowledge/search/search-index.ts';
import type { Turn } from '../bot-turn.ts';
import type { AnswerSource, Decision } from './answer.ts';
import { readCited } from './cited-text.ts';
import { type BotVoice, promptFor, type SaidBefore } from './model-prompt.ts';

/** Of a model's answer, its citations included; shown as it grows, it has to fit a notice between processes. */
const WRITTEN_MAX_CHARS = 2_000;
const ARTICLES_READ = 5;
const PASSAGES_OF_ONE = 3;
const PASSAGES_MAX = 8;
const PASSAGES_MAX_CHARS = 8_000;
const MESSAGES_BEFORE = 8;
/** How often those who follow the chat are shown how far it is. */
const SHOWN_EVERY_MS = 120;
const ALIVE_EVERY_MS = 5_000;

/** The site's own settings of it. */
interface ModelUse extends BotVoice {
  readonly perChat: number;
  readonly perDay: number;
}

/**
 * Answers from the passages that meet the question best, as the language model puts them. Undefined where the built-in
 * answer has to do: there is no model, its budget is spent, no passage fits, or it failed.
 */
export async function answerWithModel(turn: Turn): Promise<Decision | undefined> {
  const { ctx, question, session, firstSeq = 1 } = turn;
  const model = ctx.services.languageModel;
  if (model === undefined) return undefined;
  const use = await modelUseOf(ctx);
  if (await isSpent(ctx, session, use)) return undefined;
  const passages = await passagesFor(await ctx.services.indexes.indexOf(ctx.site.id), turn);
  if (passages.length === 0) return undefined;
  const before = await saidBefore(ctx, session, firstSeq);
  const prompt = promptFor(question.slice(0, MESSAGE_MAX_CHARS).toWellFormed(), passages, before, use);
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

function modelUseOf(ctx: SiteContext): Promise<ModelUse> {
  return ctx.db
    .selectFrom('sites')
    .select([
      'name as siteName',
      'bot_tone as tone',
      'bot_rules as rules',
      'model_answers_per_chat as perChat',
      'model_answers_per_day as perDay',
    ])
    .where('id', '=', ctx.site.id)
    .executeTakeFirstOrThrow();
}

/** Whether the site grants this chat, and this visitor's day, one more text of the model's. */
export async function mayUseModel(ctx: SiteContext, session: SessionRow): Promise<boolean> {
  return ctx.services.languageModel !== undefined && !(await isSpent(ctx, session, await modelUseOf(ctx)));
}

/** Whether this chat, or this visitor's chats that began within a day, have had all that the site grants them. */
async function isSpent(
  ctx: SiteContext,
  session: SessionRow,
  { perChat, perDay }: ModelUse,
): Promise<boolean> {
  const since = new Date(ctx.now().getTime() - DAY_MS);
  const { rows } = await sql<{ chat: number; day: number }>`
    select coalesce(sum(model_answers) filter (where id = ${session.id}), 0)::int as chat,
      coalesce(sum(model_answers) filter (where started_at >= ${since}), 0)::int as day
    from conversations where site_id = ${ctx.site.id} and visitor_id = ${session.visitor_id}
      and (id = ${session.id} or started_at >= ${since})`.execute(ctx.db);
  const { chat = 0, day = 0 } = rows[0] ?? {};
  return chat >= perChat || day >= perDay;
}

async function saidBefore(ctx: SiteContext, session: SessionRow, seq: number): Promise<SaidBefore[]> {
  const rows = await ctx.db
    .selectFrom('messages')
    .select(['sender', 'text'])
    .where('site_id', '=', ctx.site.id)
    .where('conversation_id', '=', session.id)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(MESSAGES_BEFORE)
    .execute();
  return rows.reverse();
}
