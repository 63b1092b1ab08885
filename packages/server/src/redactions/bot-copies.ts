import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { redactRows } from './copies.ts';
import { type Needle, redactCopy } from './needle.ts';

/** Unanswered questions that contain the text, and the groups that are named by one, with the words of both. */
async function forgetQuestions(
  { db, site }: SiteContext,
  chats: readonly number[],
  needle: Needle,
): Promise<number> {
  const { rows: asked } = await sql<{ id: number; question: string; question_id: number | null }>`
    select id, question, question_id from unanswered_question_messages
    where site_id = ${site.id} and conversation_id = any (${[...chats]}::bigint[]) for update`.execute(db);
  const gone = asked.filter(({ question }) => isCopy(question, needle));
  if (gone.length === 0) return 0;
  const groupIds = [...new Set(gone.flatMap(({ question_id }) => question_id ?? []))];
  await sql`
    delete from unanswered_question_messages
    where site_id = ${site.id} and id = any (${gone.map(({ id }) => id)}::bigint[])`.execute(db);
  const { rows: groups } = await sql<{ id: number; question: string }>`
    select id, question from unanswered_questions
    where site_id = ${site.id} and id = any (${groupIds}::bigint[]) for update`.execute(db);
  const named = groups.filter(({ question }) => isCopy(question, needle)).map(({ id }) => id);
  // The other questions of such a group are grouped again.
  await sql`
    update unanswered_question_messages set question_id = null
    where site_id = ${site.id} and question_id = any (${named}::bigint[])`.execute(db);
  await sql`
    delete from unanswered_question_terms
    where site_id = ${site.id} and question_id = any (${named}::bigint[])`.execute(db);
  await sql`
    delete from unanswered_questions where site_id = ${site.id} and id = any (${named}::bigint[])`.execute(
    db,
  );
  return gone.length + named.length;
}

const isCopy = (text: string, needle: Needle): boolean => redactCopy(text, needle, true) !== text;

/** Questions of question sets that were collected from the chats, and their results in evaluations. */
async function redactSetQuestions(
  tx: SiteContext,
  chats: readonly number[],
  needle: Needle,
): Promise<number> {
  const changed = await redactRows(
    tx,
    'set_questions',
    { texts: ['question'] },
    sql`t.conversation_id = any (${[...chats]}::bigint[])`,
    needle,
  );
  const ids = changed.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return 0;
  // A key is the question in another form, once per set.
  await sql`
    update set_questions set question_key = question || ' ' || id
    where site_id = ${tx.site.id} and id = any (${ids}::bigint[])`.execute(tx.db);
  const results = await redactRows(
    tx,
    'evaluation_results',
    { texts: ['question'], excerpts: ['answer'] },
    sql`t.question_id = any (${ids}::bigint[])`,
    needle,
  );
  return changed.length + results.length;
}

/** The bot's copies of chats: questions without an answer, and questions to test it with. @returns how many records */
export async function redactForBot(
  tx: SiteContext,
  chats: readonly number[],
  needle: Needle,
): Promise<number> {
  if (chats.length === 0) return 0;
  return (await forgetQuestions(tx, chats, needle)) + (await redactSetQuestions(tx, chats, needle));
}
