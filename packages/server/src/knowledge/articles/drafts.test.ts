import { ARTICLE_VERSIONS_MAX } from '@foyer/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { createArticle, deleteArticle, getArticle, updateArticle } from './articles.ts';
import { discardDraft, findDraft, openArticle, restoreVersion, saveArticle, saveDraft } from './drafts.ts';
import { getVersion, listVersions } from './history.ts';

const ground = useGround();
let ctx: SiteContext;
let ada: SiteContext;
let ben: SiteContext;

beforeEach(async () => {
  ctx = await ground.makeSite();
  await ground.db.updateTable('sites').set({ plan: 'growth' }).where('id', '=', ctx.site.id).execute();
  [ada, ben] = await Promise.all([join('Ada'), join('Ben')]);
});

async function join(name: string): Promise<SiteContext> {
  const email = `${name.toLowerCase()}-${ctx.site.id}@example.com`;
  const { id } = await makeAgent(ctx, { email, name, role: 'agent' });
  return ground.contextOf(ctx.site.id, { actor: { kind: 'agent', agentId: id, name, role: 'agent' } });
}

const text = { title: 'Returns', category: 'Orders', status: 'Published', body: 'Thirty days.' } as const;
const draft = { ...text, base_version: 1, revision: null };
const history = async (article_id: number) =>
  (await listVersions(ctx, { article_id, limit: 200, order: 'desc' })).items;

describe('unsaved text', () => {
  it('is kept, and nobody else sees it until it is saved', async () => {
    const { id } = await createArticle(ctx, text);
    await saveDraft(ada, { ...draft, article_id: id, body: 'Sixty days.' });
    expect(await getArticle(ctx, id)).toMatchObject({ body: 'Thirty days.' });
    expect((await openArticle(ada, id)).draft).toMatchObject({ body: 'Sixty days.', revision: 1 });
    const seen = await openArticle(ben, id);
    expect(seen.draft).toBeNull();
    expect(seen.others).toMatchObject([{ agent: { name: 'Ada' } }]);
    await saveArticle(ada, { ...text, id, base_version: seen.version, body: 'Sixty days.' });
    expect(await getArticle(ctx, id)).toMatchObject({ body: 'Sixty days.' });
    expect(await openArticle(ada, id)).toMatchObject({ draft: null, others: [] });
  });

  it('of an article that does not exist yet is kept as well, and ends when it is created', async () => {
    await saveDraft(ada, { ...draft, article_id: null, base_version: null, title: '' });
    expect((await findDraft(ada, { article_id: null })).draft).toMatchObject({
      title: '',
      body: 'Thirty days.',
    });
    expect((await findDraft(ben, { article_id: null })).draft).toBeNull();
    await saveArticle(ada, text);
    expect((await findDraft(ada, { article_id: null })).draft).toBeNull();
  });

  it('is not undone by another window of the same agent, even when both save at once', async () => {
    const { id } = await createArticle(ctx, text);
    const first = await saveDraft(ada, { ...draft, article_id: id, body: 'One.' });
    await expect(saveDraft(ada, { ...draft, article_id: id, body: 'Other.' })).rejects.toMatchObject({
      code: 'conflict',
    });
    const { revision } = first;
    const both = await Promise.allSettled(
      ['Two.', 'Three.'].map((body) => saveDraft(ada, { ...draft, article_id: id, revision, body })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await discardDraft(ada, { article_id: id });
    expect((await openArticle(ada, id)).draft).toBeNull();
  });

  it('is deleted with its article, and is visible to no other site', async () => {
    const { id } = await createArticle(ctx, text);
    await saveDraft(ada, { ...draft, article_id: id });
    const elsewhere = ground.contextOf((await ground.makeSite()).site.id, { actor: ada.actor });
    await expect(saveDraft(elsewhere, { ...draft, article_id: id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(openArticle(elsewhere, id)).rejects.toMatchObject({ code: 'not_found' });
    await deleteArticle(ctx, id);
    await expect(saveDraft(ada, { ...draft, article_id: id })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('two people who edit at once', () => {
  it('never overwrite each other: the second gets a conflict, and keeps the draft', async () => {
    const { id } = await createArticle(ctx, text);
    const { version } = await openArticle(ada, id);
    await saveDraft(ben, { ...draft, article_id: id, body: 'Ben’s.' });
    await saveArticle(ada, { ...text, id, base_version: version, body: 'Ada’s.' });
    await expect(
      saveArticle(ben, { ...text, id, base_version: version, body: 'Ben’s.' }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await getArticle(ctx, id)).toMatchObject({ body: 'Ada’s.' });
    expect((await openArticle(ben, id)).draft).toMatchObject({ body: 'Ben’s.' });
    const now = (await openArticle(ben, id)).version;
    await saveArticle(ben, { ...text, id, base_version: now, body: 'Both.' });
    expect(await getArticle(ctx, id)).toMatchObject({ body: 'Both.' });
  });

  it('at the same moment: only one is saved', async () => {
    const { id } = await createArticle(ctx, text);
    const { version } = await openArticle(ada, id);
    const both = await Promise.allSettled(
      [ada, ben].map((who, at) =>
        saveArticle(who, { ...text, id, base_version: version, body: `Text ${at}.` }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the history of an article', () => {
  it('shows who changed what, and restores earlier versions', async () => {
    const { id } = await createArticle(ctx, text);
    await saveArticle(ada, { ...text, id, body: 'Sixty days.', category: null });
    await saveArticle(ben, { ...text, id, body: 'Sixty days.', category: null });
    expect(await history(id)).toMatchObject([
      { number: 2, cause: 'edited', author: { type: 'agent', name: 'Ada' }, category: null },
      { number: 1, cause: 'created', author: { type: 'system', id: null }, category: 'Orders' },
    ]);
    expect(await getVersion(ctx, { article_id: id, number: 1 })).toMatchObject({ body: 'Thirty days.' });
    await restoreVersion(ben, { article_id: id, number: 1 });
    expect(await getArticle(ctx, id)).toMatchObject({ body: 'Thirty days.', category: 'Orders' });
    expect((await history(id))[0]).toMatchObject({ cause: 'restored', author: { name: 'Ben' } });
  });

  it('has no entries for changes of nothing or failures', async () => {
    const { id } = await createArticle(ctx, text);
    await createArticle(ctx, { ...text, title: 'Other' });
    await updateArticle(ctx, { id, body: text.body });
    await expect(updateArticle(ctx, { id, title: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await history(id)).toHaveLength(1);
  });

  it('is limited: the oldest entries are deleted', async () => {
    const { id } = await createArticle(ctx, text);
    for (let at = 0; at < ARTICLE_VERSIONS_MAX + 5; at++)
      await updateArticle(ctx, { id, body: `Text ${at}` });
    const numbers = (await history(id)).map(({ number }) => number);
    expect(numbers).toHaveLength(ARTICLE_VERSIONS_MAX);
    expect(numbers.at(-1)).toBe(7);
    await expect(getVersion(ctx, { article_id: id, number: 6 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of another site is unknown', async () => {
    const { id } = await createArticle(ctx, text);
    const other = await ground.makeSite();
    for (const attempt of [
      () => listVersions(other, { article_id: id, limit: 1, order: 'desc' }),
      () => getVersion(other, { article_id: id, number: 1 }),
      () => restoreVersion(other, { article_id: id, number: 1 }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a chosen address', () => {
  it('is refused if it is another article’s, or still redirects to one', async () => {
    const { id } = await createArticle(ctx, text);
    const other = await createArticle(ctx, { ...text, title: 'Other' });
    await saveArticle(ada, { ...text, id, slug: 'send-back' });
    const take = (slug: string) => saveArticle(ada, { ...text, title: 'Other', id: other.id, slug });
    await expect(take('send-back')).rejects.toMatchObject({ code: 'conflict' });
    await expect(take('returns')).rejects.toMatchObject({ code: 'conflict' });
    expect(await getArticle(ctx, other.id)).toMatchObject({ slug: 'other' });
  });
});
