import { DELETED_ARTICLES_KEPT_DAYS } from '@foyer/protocol';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { findDue } from '../../../test/find-due.ts';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { purgeExpired } from '../../retention/runs.ts';
import { createArticle, deleteArticle, getArticle, updateArticle } from './articles.ts';
import { changeArticles } from './bulk.ts';
import { listDeleted, restoreDeleted } from './deleted-articles.ts';
import { listVersions } from './history.ts';
import { findImage, imageClock, keepImage } from './images.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const list = { limit: 50, order: 'desc' } as const;
const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);

describe('a deleted article', () => {
  it('is restored completely: text, history, addresses, and what referred to it', async () => {
    const { id } = await createArticle(ctx, { title: 'Returns', category: 'Orders', body: 'One.' });
    await updateArticle(ctx, { id, body: 'Two.', status: 'Published' });
    const { site_id, ...before } = await getArticle(ctx, id);
    await sql`
      insert into training_rows (site_id, question, question_key, answer, version, article_id, created_at, updated_at)
      values (${site_id}, 'Back?', 'back', 'Yes.', 1, ${id}, now(), now())`.execute(ctx.db);
    await deleteArticle(ctx, id);
    await expect(getArticle(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listDeleted(ctx, list)).items).toMatchObject([{ id, title: 'Returns', deleted_by: null }]);

    expect(await restoreDeleted(ctx, { ids: [id] })).toEqual({ restored: 1, failed: [] });
    const after = await getArticle(ctx, id);
    expect(after).toMatchObject({ title: 'Returns', category: 'Orders', body: 'Two.', slug: before.slug });
    expect((await listVersions(ctx, { ...list, article_id: id })).items.map(({ cause }) => cause)).toEqual([
      'restored',
      'edited',
      'created',
    ]);
    const rows = await ctx.db
      .selectFrom('training_rows')
      .select('article_id')
      .where('site_id', '=', site_id)
      .execute();
    expect(rows).toEqual([{ article_id: id }]);
    expect((await listDeleted(ctx, list)).items).toEqual([]);
    expect(await restoreDeleted(ctx, { ids: [id] })).toEqual({ restored: 0, failed: [] });
  });

  it('stays deleted if another article has its title by now, and gets a new address if another has that', async () => {
    const { id } = await createArticle(ctx, { title: 'Returns' });
    await deleteArticle(ctx, id);
    const { id: twin } = await createArticle(ctx, { title: 'RETURNS' });
    const other = await createArticle(ctx, { title: 'Hours' });
    await deleteArticle(ctx, other.id);
    expect(await restoreDeleted(ctx, { ids: [id, other.id] })).toMatchObject({
      restored: 1,
      failed: [{ id }],
    });
    await updateArticle(ctx, { id: twin, title: 'Sending back' });
    expect(await restoreDeleted(ctx, { ids: [id] })).toMatchObject({ restored: 1 });
    expect((await getArticle(ctx, id)).slug).toBe('returns-2');
  });

  it('can’t be seen or restored by another site', async () => {
    const { id } = await createArticle(ctx, { title: 'Returns' });
    await deleteArticle(ctx, id);
    const other = await ground.makeSite();
    expect(await restoreDeleted(other, { ids: [id] })).toEqual({ restored: 0, failed: [] });
    expect((await listDeleted(other, list)).items).toEqual([]);
  });

  it('is listed in the result of the bulk deletion, and is deleted for good when its time is over', async () => {
    const [a, b] = [await createArticle(ctx, { title: 'A' }), await createArticle(ctx, { title: 'B' })];
    const gone = await changeArticles(ctx, { action: 'delete', selection: { filter: {} } });
    expect(gone).toMatchObject({ changed: 2, left: 0, deleted: [a.id, b.id] });
    await sql`update deleted_articles set deleted_at = ${days(DELETED_ARTICLES_KEPT_DAYS + 1)}
      where site_id = ${ctx.site.id} and id = ${a.id}`.execute(ctx.db);
    await purgeExpired(ctx, 'deleted_articles');
    expect((await listDeleted(ctx, list)).items).toMatchObject([{ id: b.id }]);
  });
});

describe('a picture', () => {
  const keep = async (color: string): Promise<{ path: string; name: string }> => {
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: color } })
      .png()
      .toBuffer();
    const { path } = await keepImage(ctx, png);
    return { path, name: path.slice('/help/images/'.length) };
  };
  const age = () =>
    sql`update article_images set used_at = ${days(8)} where site_id = ${ctx.site.id}`.execute(ctx.db);
  const isThere = async ({ name }: { name: string }) => (await findImage(ctx.db, name)) !== undefined;

  it('is deleted when no text shows it any longer, and stays while an article, its history or a deleted one does', async () => {
    const [shown, former, deleted, unused, fresh] = [
      await keep('#010101'),
      await keep('#020202'),
      await keep('#030303'),
      await keep('#040404'),
      await keep('#050505'),
    ];
    const { id } = await createArticle(ctx, { title: 'Lamp', body: `![](${former.path})` });
    await updateArticle(ctx, { id, body: `![](${shown.path})` });
    await deleteArticle(ctx, (await createArticle(ctx, { title: 'Shade', body: `![](${deleted.path})` })).id);
    await age();
    await keep('#050505');
    expect(await findDue(imageClock, ctx.db, new Date(), 10)).toMatchObject([{ siteId: ctx.site.id }]);
    await imageClock.run(ctx, 0);
    expect(await Promise.all([shown, former, deleted, unused, fresh].map(isThere))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(await findDue(imageClock, ctx.db, new Date(), 10)).toEqual([]);
    await sql`delete from deleted_articles where site_id = ${ctx.site.id}`.execute(ctx.db);
    await age();
    await imageClock.run(ctx, 0);
    expect(await isThere(deleted)).toBe(false);
  });

  it('stays while an agent’s draft shows it, or a training row', async () => {
    const [drafted, answered] = [await keep('#060606'), await keep('#070707')];
    const email = `ada-${ctx.site.id}@example.com`;
    const agent = await makeAgent(ctx, { email, name: 'Ada', role: 'agent' });
    await ctx.db
      .insertInto('article_drafts')
      .values({
        site_id: ctx.site.id,
        agent_id: agent.id,
        article_id: null,
        base_version: null,
        revision: 1,
        title: 'New',
        category: null,
        status: 'Draft',
        body: `![](${drafted.path})`,
        updated_at: new Date(),
      })
      .execute();
    await sql`
      insert into training_rows (site_id, question, question_key, answer, version, created_at, updated_at)
      values (${ctx.site.id}, 'How?', 'how', ${`![](${answered.path})`}, 1, now(), now())`.execute(ctx.db);
    await age();
    await imageClock.run(ctx, 0);
    expect(await Promise.all([drafted, answered].map(isThere))).toEqual([true, true]);
  });
});
