import { randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { tagUses } from '../../tags/tag-uses.ts';
import { createTag, ensureTags, getTag, updateTag } from '../../tags/tags.ts';
import { createMacro, getMacro } from '../macros/macros.ts';
import { createView, filterOfView } from '../views/saved-views.ts';
import { mergeTags } from './merge-tags.ts';

// Tags are shared by chats and tickets; macros and views name them.

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const tagNamed = async (name: string): Promise<number> => (await ensureTags(desk.ctx, [name]))[0] ?? 0;
const macroAdding = (tags: string[]) =>
  createMacro(
    desk.ctx,
    contract['macros.create'].input.parse({ name: tags.join(), actions: [{ type: 'add_tags', tags }] }),
  );
const viewOf = (tag: string) =>
  createView(desk.ctx, contract['saved_views.create'].input.parse({ name: tag, filter: { tag } }));

/** A chat with these tags; its public id. */
async function chatWith(...tagIds: number[]): Promise<string> {
  const { db, site } = desk.ctx;
  const visitor = await db
    .insertInto('visitors')
    .values({ site_id: site.id, key: randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const session_id = `ses_${String(visitor.id).padStart(22, '0')}`;
  const { id } = await db
    .insertInto('conversations')
    .values({ site_id: site.id, session_id, visitor_id: visitor.id, start_client_id: randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('conversation_tags')
    .values(tagIds.map((tag_id) => ({ site_id: site.id, conversation_id: id, tag_id })))
    .execute();
  return session_id;
}

async function mergeAll(id: number, into_id: number): Promise<number> {
  for (let moved = 0; ; ) {
    const part = await mergeTags(desk.ctx, { id, into_id });
    moved += part.moved;
    if (part.done) return moved;
  }
}

test('are counted with their records, macros and views too', async () => {
  const [parcel, unused] = [await tagNamed('parcel'), await tagNamed('unused')];
  await chatWith(parcel);
  await desk.make({ tags: ['Parcel'] });
  await desk.make({ tags: ['parcel'] });
  await macroAdding(['PARCEL', 'parcel']);
  await viewOf('parcel');
  const { tags, most } = await tagUses(desk.ctx);
  expect(most).toBe(200);
  expect(tags).toEqual([
    { id: parcel, chats: 1, tickets: 2, macros: 1, views: 1 },
    { id: unused, chats: 0, tickets: 0, macros: 0, views: 0 },
  ]);
});

test('are merged: chats, tickets, macros and views have the other one, each ticket reports it, and the first is gone', async () => {
  const [from, into] = [await tagNamed('parcels'), await tagNamed('parcel')];
  const chats = [await chatWith(from), await chatWith(from, into)];
  const { id } = await desk.make({ tags: ['parcels', 'other'] });
  const macro = await macroAdding(['Parcels', 'parcel']);
  const view = await viewOf('parcels');
  ground.notices.length = 0;
  expect(await mergeAll(from, into)).toBe(3);
  expect((await desk.get(id)).tags).toEqual(['other', 'parcel']);
  expect((await desk.events('ticket_updated')).at(-1)).toMatchObject({
    ticket_id: id,
    tags: ['other', 'parcel'],
  });
  expect(ground.notices.filter(({ kind }) => kind === 'session')).toHaveLength(chats.length);
  const { tags } = await tagUses(desk.ctx);
  expect(tags.find((tag) => tag.id === into)).toMatchObject({ chats: 2, tickets: 1, macros: 1, views: 1 });
  expect((await getMacro(desk.ctx, macro.id)).actions).toEqual([{ type: 'add_tags', tags: ['parcel'] }]);
  expect((await filterOfView(desk.ctx, view.id)).filter).toEqual({ tag: 'parcel' });
  await expect(getTag(desk.ctx, from)).rejects.toMatchObject({ code: 'not_found' });
});

test('are merged in parts, and an interrupted merge continues', async () => {
  const [from, into] = [await tagNamed('a'), await tagNamed('b')];
  for (let at = 0; at < 101; at++) await chatWith(from);
  expect(await mergeTags(desk.ctx, { id: from, into_id: into })).toEqual({ moved: 100, done: false });
  expect(await getTag(desk.ctx, from)).toMatchObject({ name: 'a' });
  expect(await mergeAll(from, into)).toBe(1);
  expect((await tagUses(desk.ctx)).tags).toMatchObject([{ id: into, chats: 101 }]);
});

test('are merged neither into themselves nor across sites', async () => {
  const own = await tagNamed('a');
  const other = await createTag((await openDesk(ground)).ctx, 'b');
  await expect(mergeTags(desk.ctx, { id: own, into_id: own })).rejects.toMatchObject({ code: 'conflict' });
  for (const input of [
    { id: own, into_id: other.id },
    { id: other.id, into_id: own },
  ])
    await expect(mergeTags(desk.ctx, input)).rejects.toMatchObject({ code: 'not_found' });
});

test('are renamed in macros and views too', async () => {
  const id = await tagNamed('old');
  const macro = await macroAdding(['OLD', 'other']);
  const view = await viewOf('old');
  await updateTag(desk.ctx, { id, name: 'new' });
  expect((await getMacro(desk.ctx, macro.id)).actions).toEqual([
    { type: 'add_tags', tags: ['new', 'other'] },
  ]);
  expect((await filterOfView(desk.ctx, view.id)).filter).toEqual({ tag: 'new' });
});
