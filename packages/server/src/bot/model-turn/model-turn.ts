import type { BotTrial, Language, ModelReplyProblem } from '@foyer/protocol';
import { SUMMARY_LINES, summaryLine } from '@foyer/protocol/values/summary-lines';
import type { ActionRow } from '../../actions/actions.ts';
import type { LanguageModel, TokenCount } from '../../ai/language-model.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import { idOfKind } from '../../knowledge/search/source-ids.ts';
import { getSite } from '../../sites/sites.ts';
import type { AnswerSource, Decision } from '../answer/answer.ts';
import type { Turn } from '../bot-turn.ts';
import { siteFence } from '../fence.ts';
import { visitorLanguage } from '../trial/question-language.ts';
import { chatSituation } from './chat-situation.ts';
import { type ChosenAction, chosenAction } from './model-action.ts';
import { promptFor, type SaidBefore } from './model-prompt.ts';
import { modelUseOf } from './model-use.ts';
import { passagesForModel } from './passages-for-model.ts';
import { type FoundQuote, ReplyCheck } from './reply-check.ts';
import type { HandoffWord, ModelReply } from './reply-format.ts';
import { writeReply } from './write-reply.ts';

type Report = NonNullable<BotTrial['model']>;

/** The result of a language model's turn. Without a decision or an action, the built-in bot answers. */
export interface ModelTurn {
  readonly decision?: Decision;
  readonly chosen?: ChosenAction;
  readonly report: Report;
  /** The tokens that it used, even without a result; undefined if it used none. */
  readonly tokens: TokenCount | undefined;
}

const NOTHING_DONE = {
  problem: null,
  detail: null,
  quotes: [],
  search: null,
  tokens: { input: 0, output: 0 },
};

const notAsked = (problem: ModelReplyProblem): ModelTurn => ({
  report: { ...NOTHING_DONE, result: 'not_asked', problem },
  tokens: undefined,
});

const sumOf = (one: TokenCount | undefined, other: TokenCount | undefined): TokenCount | undefined =>
  one && other
    ? {
        inputTokens: one.inputTokens + other.inputTokens,
        outputTokens: one.outputTokens + other.outputTokens,
      }
    : (one ?? other);

/**
 * Asks the site's language model, which gets the articles, the earlier messages and the situation. Its reply is
 * checked; if it fails, is unreadable or says what the articles don't, the reply is discarded.
 * @param actions those that the visitor may use; the model may begin one
 * @returns undefined without a model
 */
export async function askModel(turn: Turn, actions: readonly ActionRow[]): Promise<ModelTurn | undefined> {
  const { ctx } = turn;
  const model = await ctx.services.languageModels.of(ctx);
  if (model === undefined) return undefined;
  const index = await ctx.services.indexes.indexOf(ctx.site.id);
  if (index.articleCount === 0 && actions.length === 0) return notAsked('no_passages');
  if (!(await turn.mayAskModel())) return notAsked('budget');
  const question = turn.question.slice(0, MESSAGE_MAX_CHARS).toWellFormed();
  const spoken = turn.session?.language ?? (await getSite(ctx.db, ctx.site.id)).language;
  const asked = { question, language: visitorLanguage(question, spoken), before: await turn.before() };
  return replyOf(turn, model, actions, asked);
}

interface Asked {
  readonly question: string;
  readonly language: Language;
  readonly before: readonly SaidBefore[];
}

async function replyOf(
  turn: Turn,
  model: LanguageModel,
  actions: readonly ActionRow[],
  asked: Asked,
): Promise<ModelTurn> {
  const { ctx, session } = turn;
  const { passages, isAll, queries, tokens: before } = await passagesForModel(turn, model, asked);
  const search = isAll ? null : [...queries];
  if (passages.length === 0 && actions.length === 0)
    return {
      report: reportOf({ search, tokens: before, result: 'not_asked', problem: 'no_passages' }),
      tokens: before,
    };
  const fence = siteFence(ctx);
  const situation = await chatSituation(ctx, session, asked.language);
  const voice = await modelUseOf(ctx);
  const prompt = promptFor({ fence, voice, actions, passages, isAll, situation: situation.text, ...asked });
  const { boundary } = fence;
  const check = new ReplyCheck({ passages, situation: situation.known, boundary, language: asked.language });
  const written = await writeReply(turn, model, prompt, check);
  const tokens = sumOf(before, written.tokens);
  const { reply } = written;
  if (reply === undefined) {
    const { problem = null, detail = null } = written.problem ?? {};
    return {
      report: reportOf({ search, tokens, result: written.result ?? 'failed', problem, detail }),
      tokens,
    };
  }
  const quotes = reply.kind === 'answer' ? check.quotesOf(reply) : [];
  const report = reportOf({ search, tokens, result: reply.kind, quotes });
  if (reply.kind === 'action') {
    const chosen = chosenAction(reply, actions, asked.question, asked.before);
    return chosen
      ? { chosen, report, tokens }
      : {
          report: { ...report, result: 'unreadable', problem: 'unknown_action', detail: reply.name },
          tokens,
        };
  }
  const decision = decisionOf(reply, quotes);
  return decision ? { decision, report, tokens } : { report, tokens };
}

function reportOf({
  result,
  problem = null,
  detail = null,
  quotes = [],
  search,
  tokens,
}: Pick<Report, 'result' | 'search'> & {
  problem?: ModelReplyProblem | null;
  detail?: string | null;
  quotes?: readonly FoundQuote[];
  tokens: TokenCount | undefined;
}): Report {
  return {
    result,
    problem,
    detail,
    quotes: quotes.map(({ passage, words }) => ({
      id: passage && idOfKind('article', passage.articleId),
      document_id: passage && idOfKind('document', passage.articleId),
      title: passage?.title ?? null,
      text: words,
    })),
    search,
    tokens: { input: tokens?.inputTokens ?? 0, output: tokens?.outputTokens ?? 0 },
  };
}

function decisionOf(
  reply: Exclude<ModelReply, { kind: 'action' }>,
  quotes: readonly FoundQuote[],
): Decision | undefined {
  switch (reply.kind) {
    case 'answer':
      return { kind: 'answer', text: reply.text, sources: sourcesOf(quotes), confidence: 1 };
    case 'ask':
      return { kind: 'ask', text: reply.text, sources: [], confidence: 1 };
    case 'talk':
      return { kind: 'small_talk', text: reply.text };
    case 'handoff':
      return { kind: 'handoff', ...causeOf(reply.reason, reply.summary) };
    case 'none':
      return undefined;
  }
}

function sourcesOf(quotes: readonly FoundQuote[]): AnswerSource[] {
  const sources = quotes.flatMap(({ passage }): [number, AnswerSource][] =>
    passage === null ? [] : [[passage.articleId, { article_id: passage.articleId, title: passage.title }]],
  );
  return [...new Map(sources).values()];
}

/** The reason of a handoff, as the team reads it. */
const CAUSES = {
  person: { reason: 'visitor_request', line: SUMMARY_LINES.visitor_request },
  callback: { reason: 'visitor_request', line: SUMMARY_LINES.callback },
  complaint: { reason: 'rule', line: SUMMARY_LINES.complaint },
  emergency: { reason: 'rule', line: SUMMARY_LINES.emergency },
  rule: { reason: 'rule', line: SUMMARY_LINES.rule },
} as const satisfies Record<HandoffWord, object>;

/** The model's summary is a line of its own, in quotation marks: no line of Foyer's can be forged. */
function causeOf(word: HandoffWord, summary: string) {
  const { reason, line } = CAUSES[word];
  const said = summary
    .replace(/[\p{Cc}\p{Cf}“”"]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return {
    reason,
    why: said === '' ? line : `${line}\n${summaryLine('bot_summary', { said: `“${said}”` })}`,
  };
}
