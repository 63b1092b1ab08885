import { randomUUID } from 'node:crypto';
import { contract } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { collect } from '../events/collect.ts';
import { trackEvent } from '../events/track.ts';
import { currentVisitor } from '../rows.ts';
import { findVisitors, upsertVisitor } from '../visitors.ts';
import { openDevice } from './devices.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const upsert = (input: unknown) => upsertVisitor(ctx, contract['visitors.upsert'].input.parse(input));
const detail = (key: string) => findVisitors(ctx, contract['visitors.find'].input.parse({ key }));
const hello = (parts: { key?: string; token?: string }) =>
  openDevice(ctx.db, ctx.site.id, { ...parts, now: ctx.now() });

async function startChat(
  visitorId: number,
  deviceId: number,
  clientId: string = randomUUID(),
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('conversations')
    .values({
      site_id: ctx.site.id,
      session_id: `ses_${randomUUID()}`,
      visitor_id: visitorId,
      device_id: deviceId,
      start_client_id: clientId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const chatsOf = async (visitorId: number) =>
  (
    await ctx.db
      .selectFrom('conversations')
      .select('id')
      .where('site_id', '=', ctx.site.id)
      .where('visitor_id', '=', visitorId)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

test('a known visitor takes over the anonymous one’s data, and keeps their own', async () => {
  const anonymous = await hello({ key: 'anon_1' });
  await upsert({ key: 'anon_1', name: 'Anni', attributes: { source: 'ad', plan: 'none', gone: 1 } });
  await trackEvent(ctx, { key: 'anon_1', name: 'looked' });
  await upsert({ key: 'u1', name: 'Ann', plan: 'pro' });
  await trackEvent(ctx, { key: 'u1', name: 'paid' });
  const known = await hello({ key: 'u1' });
  const clientId = randomUUID();
  const chats = [
    await startChat(known.visitorId, known.deviceId, clientId),
    await startChat(anonymous.visitorId, anonymous.deviceId, clientId),
    await startChat(anonymous.visitorId, anonymous.deviceId),
  ];

  const folded = await upsert({ key: 'u1', previous_key: 'anon_1', gone: null });

  expect(folded).toMatchObject({ name: 'Ann', attributes: { source: 'ad', plan: 'pro' } });
  expect(folded.attributes).not.toHaveProperty('gone');
  expect(await detail('u1')).toMatchObject({
    event_count: 2,
    recent_events: [{ name: 'paid' }, { name: 'looked' }],
  });
  expect(await chatsOf(known.visitorId)).toEqual(chats);
  await expect(detail('anon_1')).rejects.toMatchObject({ code: 'not_found' });
  const back = await hello({ key: 'u1', token: anonymous.token });
  expect(back).toMatchObject({ visitorId: known.visitorId, deviceId: anonymous.deviceId });
  expect(await currentVisitor(ctx.db, ctx.site.id, anonymous.visitorId)).toMatchObject({ key: 'u1' });
});

test('merging a visitor twice or into themselves, or merging an unknown one, does no harm', async () => {
  await upsert({ key: 'anon_1', attributes: { a: 1 } });
  for (let time = 0; time < 2; time++) await upsert({ key: 'u1', previous_key: 'anon_1' });
  await upsert({ key: 'anon_2', previous_key: 'anon_2' });
  await upsert({ key: 'u1', previous_key: 'anon_never' });
  expect(await detail('u1')).toMatchObject({ attributes: { a: 1 } });
});

test("a visitor with a key of the site's own can't be merged", async () => {
  await upsert({ key: 'u2', name: 'Bob' });
  await expect(upsert({ key: 'u1', previous_key: 'u2' })).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'previous_key' }],
  });
  await expect(detail('u1')).rejects.toMatchObject({ code: 'not_found' });
  expect(await detail('u2')).toMatchObject({ name: 'Bob' });
});

test("an anonymous visitor of another site isn't changed", async () => {
  const other = await ground.makeSite();
  await upsertVisitor(other, { key: 'anon_1', name: 'Otto' });
  await upsert({ key: 'u1', previous_key: 'anon_1' });
  expect(await detail('u1')).toMatchObject({ name: null });
  expect(await findVisitors(other, { key: 'anon_1', limit: 1, order: 'desc' })).toMatchObject({
    name: 'Otto',
  });
});

test('merges that cross each other all end, and every event is counted once', async () => {
  const keys = ['anon_1', 'anon_2', 'anon_3'];
  for (const key of keys) await trackEvent(ctx, { key, name: 'looked' });
  const calls = Array.from({ length: 60 }, (_, at) => {
    const key = at % 4 === 0 ? 'u1' : (keys[at % 3] ?? 'u1');
    return upsert({ key, previous_key: keys[(at * 2 + 1) % 3] ?? 'anon_1' });
  });
  await Promise.all(calls);
  const { items } = await findVisitors(ctx, { limit: 50, order: 'desc' }).then((found) =>
    'items' in found ? found : { items: [] },
  );
  const counts = await Promise.all(items.map(async ({ key }) => detail(key)));
  expect(counts.reduce((sum, one) => sum + ('event_count' in one ? one.event_count : 0), 0)).toBe(3);
});

test('a merge gives way to a chat that locks in the other order', async () => {
  const anonymous = await hello({ key: 'anon_1' });
  const chat = await startChat(anonymous.visitorId, anonymous.deviceId);
  let fold: Promise<unknown> | undefined;
  // As leaving an email address does: the chat first, then its visitor.
  await ctx.transaction(async ({ db }) => {
    await db.selectFrom('conversations').select('id').where('id', '=', chat).forUpdate().execute();
    fold = upsert({ key: 'u1', previous_key: 'anon_1' });
    await expect
      .poll(() =>
        ctx.db
          .selectFrom('visitors')
          .select('id')
          .where('id', '=', anonymous.visitorId)
          .forUpdate()
          .skipLocked()
          .execute(),
      )
      .toEqual([]);
    await db
      .updateTable('visitors')
      .set({ email: 'ann@a.example' })
      .where('id', '=', anonymous.visitorId)
      .execute();
  });
  await fold;
  expect(await detail('u1')).toMatchObject({ email: 'ann@a.example' });
});

test('an event that was sent under both keys counts once', async () => {
  const events = [{ id: randomUUID(), name: 'looked', occurred_utc: '2025-01-01' }];
  await collect(ctx, { key: 'anon_1', events });
  await collect(ctx, { key: 'u1', events });
  await collect(ctx, { key: 'u1', previous_key: 'anon_1', events });
  expect(await detail('u1')).toMatchObject({ event_count: 1, recent_events: [{ name: 'looked' }] });
});
