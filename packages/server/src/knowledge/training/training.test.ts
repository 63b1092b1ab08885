import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { articlesOf, createArticle, deleteArticle } from '../articles/articles.ts';
import { listVersions } from '../articles/history.ts';
import { sourceIdOf } from '../search/source-ids.ts';
import { getMove, moveTraining, startMove } from './move.ts';
import {
  createTrainingRow,
  deleteTrainingRow,
  importTraining,
  listTrainingRows,
  parseTraining,
  updateTrainingRow,
} from './training.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const rows = async (at: SiteContext = ctx) =>
  (await listTrainingRows(at, { limit: 200, order: 'asc' })).items;
const found = async (q: string): Promise<number[]> =>
  (await ctx.services.indexes.indexOf(ctx.site.id)).search(q, 9).map(({ passage }) => passage.articleId);
const move = async (): Promise<void> => {
  await startMove(ctx, { category: null });
  await moveTraining(ctx);
};

describe('training rows', () => {
  it('are sources of the bot until they are moved, then their article is, never both', async () => {
    const { id } = await createTrainingRow(ctx, {
      question: 'Do you wrap gifts?',
      answer: 'In recycled paper.',
    });
    expect(await found('recycled paper')).toEqual([sourceIdOf({ kind: 'training_row', id })]);
    await updateTrainingRow(ctx, { id, answer: 'In old newspapers.' });
    expect(await found('newspapers')).toEqual([sourceIdOf({ kind: 'training_row', id })]);
    await move();
    const [row] = await rows();
    expect(row?.article_id).toBeGreaterThan(0);
    expect(await found('newspapers')).toEqual([row?.article_id]);
    await deleteArticle(ctx, row?.article_id ?? 0);
    expect(await found('newspapers')).toEqual([]);
    expect(await rows()).toMatchObject([{ article_id: null, moved_utc: expect.any(String) }]);
    await move();
    expect(await articlesOf(ctx).execute()).toEqual([]);
  });

  it('are refused if their question exists, or they were moved', async () => {
    const { id } = await createTrainingRow(ctx, { question: 'Hours?', answer: 'Nine to five.' });
    await expect(createTrainingRow(ctx, { question: 'HOURS?', answer: 'x' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await move();
    await expect(updateTrainingRow(ctx, { id, answer: 'x' })).rejects.toMatchObject({ code: 'conflict' });
    await deleteTrainingRow(ctx, id);
    expect(await articlesOf(ctx).execute()).toHaveLength(1);
  });

  it('of another site look as if they did not exist', async () => {
    const { id } = await createTrainingRow(ctx, { question: 'Hours?', answer: 'Nine to five.' });
    const other = await ground.makeSite();
    await expect(updateTrainingRow(other, { id, answer: 'x' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteTrainingRow(other, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await rows(other)).toEqual([]);
    await startMove(other, { category: null });
    await moveTraining(other);
    expect(await rows()).toMatchObject([{ moved_utc: null }]);
  });
});

describe('a CSV text', () => {
  it('is read with or without headings, with any separators, and its errors name their lines', () => {
    const text =
      'id;Answer;Question\n1;"Nine; ""sharp""\nor ten";When?\n2;;Where?\n3;Here;\n4;Later;WHEN?\n5;"open';
    expect(parseTraining(text)).toEqual({
      pairs: [{ line: 2, question: 'When?', answer: 'Nine; "sharp"\nor ten', key: 'when?' }],
      failed: [
        { line: 4, message: 'has no answer' },
        { line: 5, message: 'has no question' },
        { line: 6, message: expect.stringContaining('line 2') },
        { line: 7, message: expect.stringContaining('unclosed') },
      ],
    });
    expect(parseTraining('When?,Nine.').pairs).toMatchObject([{ question: 'When?', answer: 'Nine.' }]);
  });

  it('keeps formulas as text', async () => {
    await importTraining(ctx, 'question,answer\n=1+1,"=HYPERLINK(""http://x"")"\n@SUM(A1),+49 30 1234');
    expect(await rows()).toMatchObject([
      { question: '=1+1', answer: '=HYPERLINK("http://x")' },
      { question: '@SUM(A1)', answer: '+49 30 1234' },
    ]);
  });

  it('imported again changes nothing; another answer is stored, except for a row that was moved', async () => {
    const text = 'question,answer\nHours?,Nine.\nWhere?,Here.';
    expect(await importTraining(ctx, text)).toEqual({ created: 2, updated: 0, unchanged: 0, failed: [] });
    const before = await rows();
    expect(await importTraining(ctx, text)).toEqual({ created: 0, updated: 0, unchanged: 2, failed: [] });
    expect(await rows()).toEqual(before);
    expect(await importTraining(ctx, 'hours?,Ten.')).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      failed: [],
    });
    await move();
    expect(await importTraining(ctx, text)).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
      failed: [{ line: 2, message: expect.stringContaining('article') }],
    });
    await move();
    expect(await articlesOf(ctx).execute()).toHaveLength(2);
  });

  it('is all or nothing when its connection breaks', async () => {
    const cut = ctx.transaction(async (tx) => {
      await importTraining(tx, 'Hours?,Nine.');
      await tx.db.executeQuery(CompiledQuery.raw('select pg_terminate_backend(pg_backend_pid())'));
    });
    await expect(cut).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });

  it('over 5 MiB is refused', async () => {
    await expect(importTraining(ctx, 'x'.repeat(5 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });
});

describe('the move of training rows', () => {
  it('creates a published article of each, by its question, beside the existing ones', async () => {
    await createArticle(ctx, { title: 'Hours?' });
    const long = `Why ${'so '.repeat(200)}long?`;
    await importTraining(ctx, `hours?,Nine.\n${long},Because.`);
    await move();
    const [, moved, other] = await articlesOf(ctx).orderBy('articles.id').execute();
    expect(moved).toMatchObject({ title: 'hours? (2)', body: 'Nine.', status: 'Published' });
    expect(other?.title.length).toBeLessThanOrEqual(300);
    expect(other?.body).toContain(long);
    expect(
      (await listVersions(ctx, { article_id: moved?.id ?? 0, limit: 1, order: 'desc' })).items,
    ).toMatchObject([{ cause: 'moved' }]);
    expect(await getMove(ctx)).toMatchObject({ move: { total: 2, moved: 2, ended_utc: expect.any(String) } });
  });

  it('continues where it was stopped, reports its progress, and is safe to repeat and to run twice at once', async () => {
    const csv = Array.from({ length: 450 }, (_, at) => `Question ${at}?,Answer ${at}.`).join('\n');
    await importTraining(ctx, csv);
    await startMove(ctx, { category: 'Moved' });
    await moveTraining(ctx, 0);
    expect((await getMove(ctx)).move).toMatchObject({ total: 450, moved: 200, ended_utc: null });
    // Rows that are added while it runs are for the next one.
    await createTrainingRow(ctx, { question: 'Late?', answer: 'Yes.' });
    expect(await startMove(ctx, { category: 'Elsewhere' })).toMatchObject({ total: 450, moved: 200 });
    await Promise.all([moveTraining(ctx), moveTraining(ctx)]);
    expect((await getMove(ctx)).move).toMatchObject({ moved: 450, ended_utc: expect.any(String) });
    const articles = await articlesOf(ctx).execute();
    expect(articles).toHaveLength(450);
    expect(new Set(articles.map(({ category }) => category))).toEqual(new Set(['Moved']));
    await move();
    expect(await articlesOf(ctx).execute()).toHaveLength(451);
  });
});
