import { QUESTION_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { lockSite } from '../../sites/sites.ts';
import { groupOf, termsOf } from './terms.ts';

/** Questions grouped per transaction. */
const BATCH_QUESTIONS = 50;
/** The groups that a question is compared with: those that share the most words with it. */
const CANDIDATES_MAX = 50;
/** Gaps per site; beyond that, the least important ones are deleted. */
export const GAPS_MAX = 1_000;
/** Newest questions kept per gap. */
export const GAP_EXAMPLES = 20;

/**
 * Records a question that the bot had no answer to, in the transaction of its turn. Its gap is found in the background,
 * so that the visitor doesn't wait for it.
 */
export async function noteUnknown(
  tx: SiteContext,
  unknown: { conversationId: number; seq: number; question: string },
): Promise<void> {
  await tx.db
    .insertInto('unanswered_question_messages')
    .values({
      site_id: tx.site.id,
      conversation_id: unknown.conversationId,
      seq: unknown.seq,
      question: unknown.question.slice(0, QUESTION_MAX).toWellFormed(),
      asked_at: tx.now(),
    })
    .onConflict((conflict) => conflict.constraint('unanswered_question_messages_once').doNothing())
    .execute();
  await tx.enqueue('bot.group_gaps', {}, { key: String(tx.site.id) });
}

/**
 * Removes the record of a question without an answer, because its visitor has chosen one of the offered articles. Does
 * nothing if the question wasn't recorded.
 */
export async function forgetUnknown(
  { db, site }: SiteContext,
  { conversationId, seq }: { conversationId: number; seq: number },
): Promise<void> {
  const gone = await db
    .deleteFrom('unanswered_question_messages')
    .where('site_id', '=', site.id)
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .returning('question_id')
    .executeTakeFirst();
  const gapId = gone?.question_id;
  if (gapId == null) return;
  const { asked } = await db
    .updateTable('unanswered_questions')
    .set({ asked: sql`asked - 1` })
    .where('site_id', '=', site.id)
    .where('id', '=', gapId)
    .returning('asked')
    .executeTakeFirstOrThrow();
  if (asked > 0) return;
  await db
    .deleteFrom('unanswered_questions')
    .where('site_id', '=', site.id)
    .where('id', '=', gapId)
    // Dismissed gaps stay, in case they are asked again.
    .where('dismissed_at', 'is', null)
    .execute();
}

interface Ungrouped {
  id: number;
  question: string;
  asked_at: Date;
}

/** Adds the waiting questions to unanswered_questions, in the order in which they were asked. */
export async function groupGaps(ctx: SiteContext): Promise<void> {
  while (await ctx.transaction(groupBatch));
}

/** @returns whether there may be more. */
async function groupBatch(tx: SiteContext): Promise<boolean> {
  // One at a time: two new similar questions must find each other.
  await lockSite(tx);
  const questions: Ungrouped[] = await tx.db
    .selectFrom('unanswered_question_messages')
    .select(['id', 'question', 'asked_at'])
    .where('site_id', '=', tx.site.id)
    .where('question_id', 'is', null)
    .orderBy('id')
    .limit(BATCH_QUESTIONS)
    .execute();
  for (const question of questions) await placeQuestion(tx, question);
  return questions.length === BATCH_QUESTIONS;
}

async function placeQuestion(tx: SiteContext, asked: Ungrouped): Promise<void> {
  const terms = termsOf(asked.question);
  const ofSite = tx.db.updateTable('unanswered_question_messages').where('site_id', '=', tx.site.id);
  if (terms.length === 0) {
    await tx.db
      .deleteFrom('unanswered_question_messages')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', asked.id)
      .execute();
    return;
  }
  const found = groupOf(terms, await candidatesFor(tx, terms));
  const gapId = found?.id ?? (await createGap(tx, asked, terms));
  await ofSite.set({ question_id: gapId }).where('id', '=', asked.id).execute();
  await tx.db
    .updateTable('unanswered_questions')
    .set({
      asked: sql`asked + 1`,
      last_asked_at: asked.asked_at,
      // It isn't answered after all; dismissed gaps stay dismissed.
      solved_at: null,
      solved_article_id: null,
    })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', gapId)
    .execute();
  await dropOldExamples(tx, gapId);
}

async function candidatesFor({ db, site }: SiteContext, terms: readonly string[]) {
  const { rows } = await sql<{ id: number; terms: string[] }>`
    select g.id, g.terms from unanswered_questions g
    join (
      select question_id, count(*) as shared from unanswered_question_terms
      where site_id = ${site.id} and term = any (${[...terms]})
      group by question_id order by shared desc, question_id limit ${CANDIDATES_MAX}
    ) t on t.question_id = g.id
    where g.site_id = ${site.id}`.execute(db);
  return rows;
}

async function createGap(
  tx: SiteContext,
  { question, asked_at }: Ungrouped,
  terms: readonly string[],
): Promise<number> {
  await dropLeast(tx);
  const { id } = await tx.db
    .insertInto('unanswered_questions')
    .values({
      site_id: tx.site.id,
      question,
      terms: [...terms],
      last_asked_at: asked_at,
      created_at: tx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.db
    .insertInto('unanswered_question_terms')
    .values(terms.map((term) => ({ site_id: tx.site.id, term, question_id: id })))
    .execute();
  return id;
}

/**
 * Makes room for one more gap: deletes solved and dismissed ones first, then those asked least often and longest ago.
 */
async function dropLeast({ db, site }: SiteContext): Promise<void> {
  await sql`
    delete from unanswered_questions where site_id = ${site.id} and id in (
      select id from unanswered_questions where site_id = ${site.id}
      order by (dismissed_at is null and solved_at is null) desc, asked desc, last_asked_at desc
      offset ${GAPS_MAX - 1}
    )`.execute(db);
}

async function dropOldExamples({ db, site }: SiteContext, gapId: number): Promise<void> {
  await sql`
    delete from unanswered_question_messages where site_id = ${site.id} and question_id = ${gapId} and id <= (
      select id from unanswered_question_messages where site_id = ${site.id} and question_id = ${gapId}
      order by id desc offset ${GAP_EXAMPLES} limit 1
    )`.execute(db);
}
