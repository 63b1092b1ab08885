import { ARTICLE_TITLE_MAX, type OutputOf, type ParsedInputOf, type TrainingMove } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { categoryIdOf } from '../articles/categories.ts';
import { createSlugs } from '../articles/slug.ts';
import { takenSlugs } from '../articles/slugs.ts';
import { noteVersions } from '../articles/versions.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { categoryName, titleKey } from '../transfer/import-text.ts';

/** Rows per transaction: a crash loses no more than that. */
const BATCH_ROWS = 200;
/** A job hands over to the next of its kind long before the queue would consider it hung (jobs/queue.ts). */
const TURN_MS = 20_000;

type Move = Selectable<Tables['training_moves']>;

async function findMove({ db, site }: SiteContext): Promise<Move | undefined> {
  return db.selectFrom('training_moves').selectAll().where('site_id', '=', site.id).executeTakeFirst();
}

/** Rows that a move still has to process. */
async function countLeft({ db, site }: SiteContext, { through_id }: Move): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from training_rows
    where site_id = ${site.id} and moved_at is null and id <= ${through_id}`.execute(db);
  return rows[0]?.left ?? 0;
}

async function present(ctx: SiteContext, move: Move): Promise<TrainingMove> {
  const left = move.ended_at ? 0 : await countLeft(ctx, move);
  return {
    total: move.total,
    // A row that was deleted meanwhile needs no move.
    moved: Math.max(0, move.total - left),
    started_utc: move.started_at.toISOString(),
    ended_utc: move.ended_at?.toISOString() ?? null,
  };
}

/** The progress of the site's last move. */
export async function getMove(ctx: SiteContext): Promise<OutputOf<'training_moves.get'>> {
  const move = await findMove(ctx);
  return { move: move ? await present(ctx, move) : null };
}

/** Begins to turn the unmoved rows into articles; a running move continues. */
export async function startMove(
  ctx: SiteContext,
  { category }: ParsedInputOf<'training_moves.start'>,
): Promise<TrainingMove> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await findMove(tx);
    if (!before || before.ended_at) {
      await sql`
        insert into training_moves (site_id, category, through_id, total, started_at, ended_at)
        select ${tx.site.id}, ${category === null ? null : categoryName(category)}, coalesce(max(id), 0), count(*), ${tx.now()}, null
        from training_rows where site_id = ${tx.site.id} and moved_at is null
        on conflict (site_id) do update set category = excluded.category, through_id = excluded.through_id,
          total = excluded.total, started_at = excluded.started_at, ended_at = null`.execute(tx.db);
    }
    await queueNext(tx);
    const move = await findMove(tx);
    if (!move) throw new Error('a move that was just begun is not there');
    return present(tx, move);
  });
}

const queueNext = (ctx: SiteContext): Promise<void> =>
  ctx.enqueue('training.move', {}, { key: String(ctx.site.id) });

interface Unmoved {
  id: number;
  question: string;
  answer: string;
}

/** The question as a title; if it is too long for one, the text begins with the whole question. */
function articleOf({ question, answer }: Unmoved): { title: string; body: string } {
  const line = question.replace(/\s+/g, ' ').trim();
  if (line.length <= ARTICLE_TITLE_MAX - TITLE_NUMBER_CHARS) return { title: line, body: answer };
  const title = `${line
    .slice(0, ARTICLE_TITLE_MAX - TITLE_NUMBER_CHARS - 1)
    .toWellFormed()
    .trimEnd()}…`;
  return { title, body: `**${line}**\n\n${answer}` };
}

/** Room for ` (1234)`, if an article with that title exists already. */
const TITLE_NUMBER_CHARS = 12;

/** Titles that no article of the category has: `Returns`, `Returns (2)`. */
async function freeTitles(
  { db, site }: SiteContext,
  categoryId: number | null,
  titles: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ title_key: string }>`
    select title_key from articles
    where site_id = ${site.id} and category_id is not distinct from ${categoryId}::bigint
      and exists (select from unnest(${titles.map(titleKey)}::text[]) t (key) where starts_with(title_key, t.key))`.execute(
    db,
  );
  const taken = new Set(rows.map(({ title_key }) => title_key));
  return titles.map((title) => {
    let free = title;
    for (let number = 2; taken.has(titleKey(free)); number += 1) free = `${title} (${number})`;
    taken.add(titleKey(free));
    return free;
  });
}

/** Publishes articles of some rows and records which, all in one transaction, so that no row is moved twice. */
async function moveBatch(tx: SiteContext): Promise<boolean> {
  await lockKnowledge(tx);
  const { db, site } = tx;
  const move = await findMove(tx);
  if (!move || move.ended_at) return false;
  const { rows } = await sql<Unmoved>`
    select id, question, answer from training_rows
    where site_id = ${site.id} and moved_at is null and id <= ${move.through_id} order by id limit ${BATCH_ROWS}`.execute(
    db,
  );
  if (rows.length === 0) {
    await db
      .updateTable('training_moves')
      .set({ ended_at: tx.now() })
      .where('site_id', '=', site.id)
      .execute();
    return false;
  }
  const categoryId = await categoryIdOf(tx, move.category);
  const articles = rows.map(articleOf);
  const titles = await freeTitles(
    tx,
    categoryId,
    articles.map(({ title }) => title),
  );
  const slugs = createSlugs(await takenSlugs(tx, 'article'));
  const version = await nextVersion(tx);
  const given = rows.map(({ id }, at) => {
    const title = titles[at] ?? '';
    return { row: id, title, key: titleKey(title), slug: slugs.take(title), body: articles[at]?.body ?? '' };
  });
  const made = await sql<{ id: number }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as g (row bigint, title text, key text, slug text, body text)),
    made as (
      insert into articles (site_id, title, title_key, category_id, status, body, slug, version, created_at, updated_at)
      select ${site.id}, title, key, ${categoryId}::bigint, 'Published', body, slug, ${version}, ${tx.now()}, ${tx.now()} from given
      returning id, slug)
    update training_rows t set moved_at = ${tx.now()}, article_id = m.id, version = ${version}
    from given g join made m on m.slug = g.slug
    where t.site_id = ${site.id} and t.id = g.row
    returning m.id`.execute(db);
  await noteVersions(
    tx,
    made.rows.map(({ id }) => id),
    'moved',
  );
  return true;
}

/** Moves batch by batch; a job that dies is retried, and continues after the last batch. */
export async function moveTraining(ctx: SiteContext, turnMs = TURN_MS): Promise<void> {
  const end = performance.now() + turnMs;
  while (await ctx.transaction(moveBatch)) if (performance.now() > end) return queueNext(ctx);
}

export const trainingJobs = [job({ name: 'training.move', run: (ctx) => moveTraining(ctx) })];
