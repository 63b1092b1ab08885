import type { BotTrial, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import { idOfKind } from '../../knowledge/search/source-ids.ts';
import { getSite } from '../../sites/sites.ts';
import { countTokens } from '../../sites/usage.ts';
import { ANSWER_FROM } from '../answer/answer.ts';
import type { Candidate } from '../answer/likelihood.ts';
import { lookupOf } from '../answer/site-answers.ts';
import type { Turn } from '../bot-turn.ts';
import { takeUse } from '../copilot/copilot-model.ts';
import { MESSAGES_BEFORE } from '../model-turn/model-use.ts';
import { replyTo } from '../reply.ts';
import { consequenceOf } from '../rules/turn-rules.ts';
import { type Decided, decideTurn } from '../turn-decision.ts';
import { questionLanguage } from './question-language.ts';

const rounded = (confidence: number): number => Math.round(confidence * 1_000) / 1_000;

/** The probability of each. */
const presentCandidates = (candidates: readonly Candidate[]): BotTrial['candidates'] =>
  candidates.map(({ hit: { passage }, probability }) => ({
    id: idOfKind('article', passage.articleId),
    document_id: idOfKind('document', passage.articleId),
    title: passage.title,
    confidence: rounded(probability),
  }));

/** The compared articles. A language model reads more of them, and reports itself which it used. */
async function comparedBy({ by, lookup }: Decided, turn: Turn): Promise<readonly Candidate[]> {
  if (by !== 'model') return lookup?.candidates ?? [];
  const lookUp = await lookupOf(turn.ctx);
  return (await lookUp(turn.question, turn.previousQuestion)).candidates;
}

/**
 * What the bot would do with an agent's question, decided like a turn in a chat, with the saved settings. Nothing is
 * stored. If a language model answers, that is one of the agent's texts of the day, and its tokens are counted.
 * @throws AppError 429 for too many questions a minute
 */
export async function tryBot(
  ctx: SiteContext,
  { question, before, misses }: ParsedInputOf<'bot.try'>,
): Promise<OutputOf<'bot.try'>> {
  await ctx.services.admit(
    { site: ctx.site, caller: `agent ${agentActor(ctx).agentId}`, proof: 'none' },
    'trial',
  );
  const turn: Turn = {
    ctx,
    session: undefined,
    question,
    previousQuestion: before.findLast(({ sender }) => sender === 'visitor')?.text,
    before: async () => before.slice(-MESSAGES_BEFORE),
    mayAskModel: () => takeUse(ctx),
  };
  const decided = await decideTurn(turn);
  const { decision, by } = decided;
  if (decided.tokens) await countTokens(ctx, decided.tokens);
  const consequence = consequenceOf(decision, misses);
  const { language: spoken } = await getSite(ctx.db, ctx.site.id);
  const language = questionLanguage(question.slice(0, MESSAGE_MAX_CHARS), spoken);
  const callsPerson = consequence.handoff !== undefined;
  const reply = await replyTo(ctx, decision, { language, callsPerson, offers: decided.offers });
  return {
    kind: decision.kind,
    text: reply?.text ?? null,
    sources: reply?.sources ?? [],
    choices: [...(reply?.choices ?? [])],
    handoff: consequence.handoff?.reason ?? null,
    by,
    why: decision.kind === 'handoff' ? (decision.why ?? null) : null,
    confidence: by === 'knowledge' && 'confidence' in decision ? rounded(decision.confidence) : null,
    threshold: ANSWER_FROM,
    candidates: presentCandidates(await comparedBy(decided, turn)),
    follows_up: decided.lookup?.followsUp ?? false,
    model: decided.model ?? null,
    misses: consequence.misses,
  };
}
