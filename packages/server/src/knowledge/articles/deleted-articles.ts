import type { DeletedArticle, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { isUniqueViolation } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { RetentionPolicy } from '../../core/retention-policy.ts';
import { cursorId, pageOf } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { titleKey } from '../transfer/import-text.ts';
import { categoryIdOf } from './categories.ts';
import { freeSlug, takenSlugs } from './slugs.ts';
import { noteVersions } from './versions.ts';

type DeletedRow = Selectable<Tables['deleted_articles']>;

/** The columns of a version, in both tables of versions. */
const VERSION_COLUMNS = sql`site_id, article_id, number, title, category, status, body, cause, agent_id, token_id, created_at`;

/**
 * Deletes articles from the knowledge and keeps them for DELETED_ARTICLES_KEPT_DAYS (protocol), in the caller's
 * transaction and under its lock of the knowledge.
 * @returns those that existed
 */
export async function putAway(tx: SiteContext, ids: readonly number[]): Promise<number[]> {
  const { actor, db, site } = tx;
  const agentId = actor.kind === 'agent' ? actor.agentId : null;
  const tokenId = actor.kind === 'token' ? actor.tokenId : null;
  const { rows } = await sql<{ id: number }>`
    insert into deleted_articles (site_id, id, title, category, status, body, slug, former_slugs, helpful, unhelpful,
      set_question_ids, training_row_ids, agent_id, token_id, created_at, deleted_at)
    select a.site_id, a.id, a.title, c.name, a.status, a.body, a.slug,
      array(select f.slug from slug_redirects f where f.site_id = a.site_id and f.article_id = a.id),
      coalesce(r.helpful, 0), coalesce(r.unhelpful, 0),
      array(select q.id from set_questions q where q.site_id = a.site_id and q.article_id = a.id),
      array(select t.id from training_rows t where t.site_id = a.site_id and t.article_id = a.id),
      ${agentId}, ${tokenId}, a.created_at, ${tx.now()}
    from articles a
    left join categories c on c.site_id = a.site_id and c.id = a.category_id
    left join article_ratings r on r.site_id = a.site_id and r.article_id = a.id
    where a.site_id = ${site.id} and a.id = any (${ids}::bigint[])
    order by a.id
    returning id`.execute(db);
  const gone = rows.map(({ id }) => id);
  if (gone.length === 0) return gone;
  await sql`
    insert into deleted_article_versions (${VERSION_COLUMNS})
    select ${VERSION_COLUMNS} from article_versions
    where site_id = ${site.id} and article_id = any (${gone}::bigint[])`.execute(db);
  await sql`delete from articles where site_id = ${site.id} and id = any (${gone}::bigint[])`.execute(db);
  await nextVersion(tx);
  return gone;
}

const present = (row: DeletedRow & { author_name: string | null }): DeletedArticle => ({
  id: row.id,
  title: row.title,
  category: row.category,
  status: row.status,
  deleted_by: row.author_name,
  deleted_utc: row.deleted_at.toISOString(),
});

/** The articles that can be restored, the last deleted first. */
export async function listDeleted(
  { db, site }: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'deleted_articles.list'>,
): Promise<OutputOf<'deleted_articles.list'>> {
  const after = cursorId(cursor);
  const [direction, compare] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond = after === undefined ? sql`true` : sql`d.number ${compare} ${after}`;
  const { rows } = await sql<DeletedRow & { author_name: string | null }>`
    select d.*, coalesce(g.name, t.name) as author_name
    from deleted_articles d
    left join agents g on g.site_id = d.site_id and g.id = d.agent_id
    left join api_tokens t on t.site_id = d.site_id and t.id = d.token_id
    where d.site_id = ${site.id} and ${beyond}
    order by d.number ${direction} limit ${limit + 1}`.execute(db);
  return pageOf(rows, limit, (row) => [row.number], present);
}

/** Its own address, unless another one has it by now. */
async function slugFor(tx: SiteContext, { id, slug, title }: DeletedRow): Promise<string> {
  const taken = await takenSlugs(tx, 'article', { like: slug, notOf: id });
  return taken.includes(slug) ? freeSlug(tx, 'article', title, id) : slug;
}

async function insertAgain(tx: SiteContext, row: DeletedRow): Promise<void> {
  const { db, site } = tx;
  const { id, title, status, body, former_slugs, helpful, unhelpful, created_at } = row;
  const slug = await slugFor(tx, row);
  await db
    .insertInto('articles')
    .values({
      site_id: site.id,
      id,
      title,
      title_key: titleKey(title),
      category_id: await categoryIdOf(tx, row.category),
      status,
      body,
      slug,
      version: await nextVersion(tx),
      created_at,
      updated_at: tx.now(),
    })
    .execute();
  await sql`
    insert into article_versions (${VERSION_COLUMNS})
    select ${VERSION_COLUMNS} from deleted_article_versions where site_id = ${site.id} and article_id = ${id}`.execute(
    db,
  );
  const earlier = [...former_slugs, row.slug].filter((one) => one !== slug);
  await sql`
    insert into slug_redirects (site_id, kind, slug, article_id)
    select ${site.id}, 'article', earlier, ${id} from unnest(${earlier}::text[]) as earlier
    where not exists (select from articles a where a.site_id = ${site.id} and a.slug = earlier)
    on conflict do nothing`.execute(db);
  if (helpful + unhelpful > 0)
    await db
      .insertInto('article_ratings')
      .values({ site_id: site.id, article_id: id, helpful, unhelpful })
      .execute();
  for (const [table, ids] of [
    ['set_questions', row.set_question_ids],
    ['training_rows', row.training_row_ids],
  ] as const)
    await sql`
      update ${sql.table(table)} set article_id = ${id}
      where site_id = ${site.id} and id = any (${ids}::bigint[]) and article_id is null`.execute(db);
  await sql`delete from deleted_articles where site_id = ${site.id} and id = ${id}`.execute(db);
}

/**
 * Restores deleted articles, with their history, their addresses and what referred to them. Ids that no longer exist,
 * or are another site's, are ignored.
 */
export async function restoreDeleted(
  ctx: SiteContext,
  { ids }: ParsedInputOf<'deleted_articles.restore'>,
): Promise<OutputOf<'deleted_articles.restore'>> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const rows = await tx.db
      .selectFrom('deleted_articles')
      .selectAll()
      .where('site_id', '=', tx.site.id)
      .where(sql<boolean>`id = any (${ids}::bigint[])`)
      .orderBy('number')
      .execute();
    const restored: number[] = [];
    const failed: OutputOf<'deleted_articles.restore'>['failed'] = [];
    for (const row of rows) {
      try {
        await tx.attempt((inner) => insertAgain(inner, row));
        restored.push(row.id);
      } catch (error) {
        if (!isUniqueViolation(error, 'articles_same')) throw error;
        failed.push({ id: row.id, title: row.title, message: 'An article with this title already exists.' });
      }
    }
    if (restored.length > 0) await noteVersions(tx, restored, 'restored');
    return { restored: restored.length, failed };
  });
}

/** Old deleted articles are deleted for good. */
export const oldDeletedArticles: RetentionPolicy = {
  batch: 100,
  old: ({ site }, before) => sql`
    deleted_articles r where r.site_id = ${site.id} and r.deleted_at < ${before}`,
  async purge({ db, site }, ids) {
    await sql`
      delete from deleted_articles where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(db);
  },
};
