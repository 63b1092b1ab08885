import {
  type Expectation,
  type ImportedQuestions,
  type OutputOf,
  type ParsedInputOf,
  SET_QUESTIONS_MAX,
  type SetQuestion,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput, notFound, tooMany } from '../../base/errors.ts';
import { getSession } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { idPage, type Page } from '../../db/keyset.ts';
import { getArticle } from '../../knowledge/articles/articles.ts';
import { expectationReader, type Meant, type NamedArticle, readQuestionFile } from './question-file.ts';
import { getQuestionSet, lockQuestionSet } from './question-sets.ts';

const setQuestions = new SiteRecords('set_questions', 'question', {
  conflict: () =>
    new AppError('conflict', 'This question is already in the set.', { reason: 'question_twice' }),
});

export interface QuestionRow {
  id: number;
  question: string;
  expects: Expectation;
  article_id: number | null;
  article_title: string | null;
  session_id: string | null;
}

const presentQuestion = (row: QuestionRow): SetQuestion => ({
  id: row.id,
  question: row.question,
  expects: row.expects,
  article: row.article_id === null ? null : { id: row.article_id, title: row.article_title ?? '' },
  session_id: row.session_id,
});

const questionRows = ({ db, site }: SiteContext) =>
  db
    .selectFrom('set_questions as q')
    .leftJoin('articles as a', (join) =>
      join.onRef('a.site_id', '=', 'q.site_id').onRef('a.id', '=', 'q.article_id'),
    )
    .leftJoin('conversations as c', (join) =>
      join.onRef('c.site_id', '=', 'q.site_id').onRef('c.id', '=', 'q.conversation_id'),
    )
    .where('q.site_id', '=', site.id)
    .select(['q.id', 'q.question', 'q.expects', 'q.article_id', 'a.title as article_title', 'c.session_id']);

/** The questions of a set after `afterId`, by id, as an evaluation asks them. */
export function questionsAfter(
  ctx: SiteContext,
  setId: number,
  afterId: number,
  limit: number,
): Promise<QuestionRow[]> {
  return questionRows(ctx)
    .where('q.set_id', '=', setId)
    .where('q.id', '>', afterId)
    .orderBy('q.id')
    .limit(limit)
    .execute();
}

/** By id, in `input.order`. @throws AppError 404 for an unknown set, also for another site's. */
export async function listSetQuestions(
  ctx: SiteContext,
  input: ParsedInputOf<'set_questions.list'>,
): Promise<Page<SetQuestion>> {
  await getQuestionSet(ctx, input.set_id);
  return idPage(questionRows(ctx).where('q.set_id', '=', input.set_id), input, presentQuestion, 'q.id');
}

async function getSetQuestion(ctx: SiteContext, id: number): Promise<SetQuestion> {
  return presentQuestion(
    await questionRows(ctx)
      .where('q.id', '=', id)
      .executeTakeFirstOrThrow(() => notFound('question')),
  );
}

const keyOf = (question: string): string => question.trim().replace(/\s+/g, ' ').toLowerCase();

/** Checks that expectation and article fit. @throws AppError 400, and 404 for an unknown article. */
async function meantBy(ctx: SiteContext, expects: Expectation, articleId: number | null): Promise<Meant> {
  if (expects !== 'article') return { expects, articleId: null };
  if (articleId === null)
    throw invalidInput([{ path: 'article_id', message: 'must be the article with the answer' }]);
  return { expects, articleId: (await getArticle(ctx, articleId)).id };
}

/** @throws AppError 400, 404, and 409 for a question that the set has already, or a full set. */
export function createSetQuestion(
  ctx: SiteContext,
  input: ParsedInputOf<'set_questions.create'>,
): Promise<SetQuestion> {
  const { set_id, question, expects, article_id = null, session_id = null } = input;
  return ctx.transaction(async (tx) => {
    await lockQuestionSet(tx, set_id);
    const { question_count } = await getQuestionSet(tx, set_id);
    if (question_count >= SET_QUESTIONS_MAX)
      throw tooMany(SET_QUESTIONS_MAX, `A set can have at most ${SET_QUESTIONS_MAX} questions.`);
    const meant = await meantBy(tx, expects, article_id);
    const chat = session_id === null ? null : await getSession(tx, session_id);
    const { id } = await setQuestions.insert(tx, {
      set_id,
      question,
      question_key: keyOf(question),
      expects: meant.expects,
      article_id: meant.articleId,
      conversation_id: chat?.id ?? null,
      created_at: tx.now(),
    });
    return getSetQuestion(tx, id);
  });
}

/** @throws AppError 400, 404, and 409 for a question that the set has already. */
export function updateSetQuestion(
  ctx: SiteContext,
  { id, question, expects, article_id }: ParsedInputOf<'set_questions.update'>,
): Promise<SetQuestion> {
  return ctx.transaction(async (tx) => {
    // The lock lets the second of two concurrent updates keep what the first changed.
    await setQuestions.lock(tx, id);
    const before = await getSetQuestion(tx, id);
    const asked = question ?? before.question;
    const touched = expects !== undefined || article_id !== undefined;
    const wanted = article_id === undefined ? (before.article?.id ?? null) : article_id;
    const meant = touched ? await meantBy(tx, expects ?? before.expects, wanted) : undefined;
    await setQuestions.update(tx, id, {
      question: asked,
      question_key: keyOf(asked),
      expects: meant?.expects,
      article_id: meant?.articleId,
    });
    return getSetQuestion(tx, id);
  });
}

/** @throws AppError 404, also for another site's. */
export const deleteSetQuestion = (ctx: SiteContext, id: number): Promise<OutputOf<'set_questions.delete'>> =>
  setQuestions.delete(ctx, id);

/** The articles that a file may name. Ordered by id, so that the newest wins if two have the same title. */
export function namedArticles({ db, site }: SiteContext): Promise<NamedArticle[]> {
  return (
    db
      .selectFrom('articles')
      .select(['id', 'title', 'slug'])
      .where('site_id', '=', site.id)
      // Of two with the same title, the newest counts.
      .orderBy('id')
      .execute()
  );
}

/** Adds the questions of a file to a set; a question with another expectation gets the new one. */
export function importQuestions(
  ctx: SiteContext,
  { id, text }: ParsedInputOf<'question_sets.import'>,
): Promise<ImportedQuestions> {
  const { questions, failed } = readQuestionFile(text);
  return ctx.transaction(async (tx) => {
    await lockQuestionSet(tx, id);
    const meaning = expectationReader(await namedArticles(tx));
    const result: ImportedQuestions = { created: 0, updated: 0, unchanged: 0, failed };
    const wanted = new Map<string, { question: string; meant: Meant }>();
    for (const { line, question, expected } of questions) {
      const meant = meaning(expected);
      if (meant) wanted.set(keyOf(question), { question, meant });
      else
        failed.push({
          line,
          message: `expects ${JSON.stringify(expected.slice(0, 100))}, which isn’t an article of this site`,
        });
    }
    failed.sort((a, b) => a.line - b.line);
    await storeWanted(tx, id, wanted, result);
    return result;
  });
}

async function storeWanted(
  tx: SiteContext,
  setId: number,
  wanted: ReadonlyMap<string, { question: string; meant: Meant }>,
  result: ImportedQuestions,
): Promise<void> {
  const there = await tx.db
    .selectFrom('set_questions')
    .select(['question_key', 'expects', 'article_id'])
    .where('site_id', '=', tx.site.id)
    .where('set_id', '=', setId)
    .execute();
  const known = new Map(there.map((row) => [row.question_key, row]));
  const changed = [...wanted].filter(([key, { meant }]) => {
    const before = known.get(key);
    return !before || before.expects !== meant.expects || before.article_id !== meant.articleId;
  });
  result.unchanged = wanted.size - changed.length;
  result.updated = changed.filter(([key]) => known.has(key)).length;
  result.created = changed.length - result.updated;
  if (known.size + result.created > SET_QUESTIONS_MAX)
    throw tooMany(
      SET_QUESTIONS_MAX,
      `A set can have at most ${SET_QUESTIONS_MAX} questions. Nothing was imported.`,
    );
  if (changed.length === 0) return;
  const rows = changed.map(([key, { question, meant }]) => ({ key, question, ...meant }));
  await sql`
    insert into set_questions (site_id, set_id, question, question_key, expects, article_id, created_at)
    select ${tx.site.id}, ${setId}, r.question, r.key, r.expects, r."articleId", ${tx.now()}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (key text, question text, expects text, "articleId" bigint)
    on conflict on constraint set_questions_once
      do update set expects = excluded.expects, article_id = excluded.article_id`.execute(tx.db);
}
