import { readSummaryLine } from '@foyer/protocol/values/summary-lines';
import { sql } from 'kysely';
import { SUMMARY_MAX_CHARS, type SummaryParts } from '../conversations/handoff-summary.ts';
import { summaryMessages } from '../conversations/handoffs.ts';
import { findSession } from '../conversations/sessions.ts';
import type { SiteContext } from '../core/context.ts';
import { summariseWithModel } from './copilot/copilot-model.ts';
import { mayUseModel } from './model-turn/model-use.ts';

/** If an agent takes the chat by then, they have read the built summary, which exists from the start. */
const SUMMARY_MAX_MS = 10_000;

interface BuiltSummary extends SummaryParts {
  session_id: string;
}

/**
 * Rewrites the questions in a handoff's summary with the language model; the reason and the line about the visitor
 * stay. If anything fails, the built summary stays. The `handoff` webhook has been sent with that one.
 */
export async function summariseHandoff(ctx: SiteContext, handoffId: number): Promise<void> {
  const { rows } = await sql<BuiltSummary>`
    select c.session_id, l.summary, l.visitor_line from handoffs l
    join conversations c on c.site_id = l.site_id and c.id = l.conversation_id
    where l.site_id = ${ctx.site.id} and l.id = ${handoffId}`.execute(ctx.db);
  const [built] = rows;
  if (built === undefined || hasModelWords(built)) return;
  const session = await findSession(ctx.db, ctx.site.id, built.session_id);
  if (!session || !(await mayUseModel(ctx, session))) return;
  const signal = AbortSignal.timeout(SUMMARY_MAX_MS);
  const { text, tokens } = await summariseWithModel(ctx, await summaryMessages(ctx, session), signal);
  await ctx.transaction(async (tx) => {
    if (tokens !== undefined) await countModelText(tx, session.id);
    if (text === undefined) return;
    const { numUpdatedRows } = await tx.db
      .updateTable('handoffs')
      .set({ summary: inWordsOf(text, built) })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', handoffId)
      // If two run at once, the second finds nothing to replace.
      .where('summary', '=', built.summary)
      .executeTakeFirst();
    if (numUpdatedRows > 0n)
      await tx.emit({ notices: [{ kind: 'session', sessionId: session.session_id }], counts: false });
  });
}

/** A text of the model uses up the budget, even if it failed. */
const countModelText = (tx: SiteContext, conversationId: number) =>
  tx.db
    .updateTable('conversations')
    .set({ model_answers: sql<number>`model_answers + 1` })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', conversationId)
    .execute();

/** Whether the model that handed the chat over has already summarised it. */
const hasModelWords = ({ summary }: SummaryParts): boolean =>
  summary.split('\n').some((line) => readSummaryLine(line)?.name === 'bot_summary');

/** The first line of a built summary is the reason; the questions follow. */
function inWordsOf(written: string, { summary, visitor_line }: SummaryParts): string {
  const [why = ''] = summary.split('\n');
  const room = SUMMARY_MAX_CHARS - why.length - (visitor_line?.length ?? 0) - 2;
  const asked = written.replaceAll('\0', '').slice(0, Math.max(0, room)).toWellFormed();
  return [why, asked].filter((part) => part !== '').join('\n');
}
