import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { summaryMessages, summaryOf } from '../../conversations/handoffs.ts';
import { getSession, type SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { withoutCourtesy } from '../../intents/courtesy.ts';
import { countTokens } from '../../sites/usage.ts';
import { OFFER_FROM } from '../answer/answer.ts';
import { extractAnswer } from '../answer/extract.ts';
import { COMPARED, candidatesOf } from '../answer/likelihood.ts';
import { presentSources } from '../answer/source-pages.ts';
import { chatTurn } from '../chat-turn.ts';
import { askModel } from '../model-turn/model-turn.ts';
import { rewriteWithModel, summariseWithModel, takeUse } from './copilot-model.ts';

type Suggested = OutputOf<'copilot.suggest'>;

/** How many messages in a row are read as one question. */
const LAST_WORDS_MAX = 5;

interface LastQuestion {
  readonly text: string;
  readonly firstSeq: number;
}

/** What the visitor said last, since anybody else spoke; undefined if they said nothing. */
async function lastQuestion(
  { db, site }: SiteContext,
  session: SessionRow,
): Promise<LastQuestion | undefined> {
  const { rows } = await sql<{ text: string; seq: number }>`
    select text, seq from messages
    where site_id = ${site.id} and conversation_id = ${session.id} and sender = 'visitor' and seq > coalesce((
      select seq from messages
      where site_id = ${site.id} and conversation_id = ${session.id} and sender <> 'visitor' and seq < (
        select seq from messages
        where site_id = ${site.id} and conversation_id = ${session.id} and sender = 'visitor'
        order by seq desc limit 1
      )
      order by seq desc limit 1
    ), 0)
    order by seq desc limit ${LAST_WORDS_MAX}`.execute(db);
  const firstSeq = rows.at(-1)?.seq;
  if (firstSeq === undefined) return undefined;
  const words = rows.map(({ text }) => text).reverse();
  return { text: words.join('\n'), firstSeq };
}

/** The model's suggestion; undefined if the best passage must do. */
async function suggestWithModel(
  ctx: SiteContext,
  session: SessionRow,
  { text: question, firstSeq }: LastQuestion,
): Promise<Suggested | undefined> {
  if ((await ctx.services.languageModels.of(ctx)) === undefined || !(await takeUse(ctx))) return undefined;
  const asked = await askModel(chatTurn(ctx, session, { question, firstSeq }), []);
  if (asked?.tokens) await countTokens(ctx, asked.tokens);
  const decision = asked?.decision;
  if (decision?.kind !== 'answer') return undefined;
  const sources = await presentSources(ctx, decision.sources);
  return sources.length === 0 ? undefined : { text: decision.text, sources, question, by: 'model' };
}

/** What the best article says, even if the bot would be silent because it isn't sure. */
async function suggestPassage(ctx: SiteContext, question: string): Promise<Suggested> {
  const nothing: Suggested = { text: null, sources: [], question, by: 'article' };
  const index = await ctx.services.indexes.indexOf(ctx.site.id);
  const [best] = candidatesOf(index.search(withoutCourtesy(question), COMPARED));
  if (best === undefined || best.probability < OFFER_FROM) return nothing;
  const { articleId, title } = best.hit.passage;
  const sources = await presentSources(ctx, [{ article_id: articleId, title }]);
  const text = extractAnswer(best.hit, question);
  return sources.length > 0 && text !== '' ? { ...nothing, text, sources } : nothing;
}

/** What published knowledge says about the visitor's last question: for an agent to read, change and send. */
export async function suggestReply(ctx: SiteContext, sessionId: string): Promise<Suggested> {
  const session = await getSession(ctx, sessionId);
  const question = await lastQuestion(ctx, session);
  if (question === undefined) return { text: null, sources: [], question: null, by: 'article' };
  return (await suggestWithModel(ctx, session, question)) ?? suggestPassage(ctx, question.text);
}

/** What a colleague must know before taking over the chat. */
export async function summariseChat(
  ctx: SiteContext,
  sessionId: string,
): Promise<OutputOf<'copilot.summarise'>> {
  const session = await getSession(ctx, sessionId);
  const mayAsk = (await ctx.services.languageModels.of(ctx)) !== undefined && (await takeUse(ctx));
  const { text } = mayAsk ? await summariseWithModel(ctx, await summaryMessages(ctx, session)) : {};
  if (text !== undefined) return { text, by: 'model' };
  return { text: await summaryOf(ctx, session), by: 'extract' };
}

/** Nothing is stored or sent: the result is for the agent's draft. @throws AppError 429, 503 */
export async function rewriteDraft(
  ctx: SiteContext,
  { session_id, text, how, language }: ParsedInputOf<'copilot.rewrite'>,
): Promise<OutputOf<'copilot.rewrite'>> {
  const session = await getSession(ctx, session_id);
  if ((await ctx.services.languageModels.of(ctx)) === undefined) return { text: null };
  const visitorText = (await lastQuestion(ctx, session))?.text ?? '';
  return { text: await rewriteWithModel(ctx, { text, how, language, visitorText }) };
}
