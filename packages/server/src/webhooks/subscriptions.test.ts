import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { deliveriesOf, emitHandoff, run, subscribe, useWorld } from '../../test/webhook-world.ts';
import { MAX_SUBSCRIPTIONS } from './subscriptions.ts';

const world = useWorld();

const URL = 'http://127.0.0.1:9/hook';
const invalid = (path: string) => ({ code: 'invalid_input', issues: [expect.objectContaining({ path })] });
const NOT_FOUND = { code: 'not_found' };

describe('a subscription', () => {
  it('shows its secret once, and keeps it only encrypted', async () => {
    const ctx = await world.site();
    const made = await run(ctx, 'webhook_subscriptions.create', {
      url: URL,
      events: ['handoff', 'feedback'],
    });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({
      url: URL,
      events: ['handoff', 'feedback'],
      description: null,
      enabled: true,
      disabled_reason: null,
      last_delivery_utc: null,
      secret_hint: made.secret?.slice(-4),
      created_utc: '2026-01-01T00:00:00.000Z',
    });
    const one = await run(ctx, 'webhook_subscriptions.list', { id: made.id });
    const all = await run(ctx, 'webhook_subscriptions.list', {});
    expect(JSON.stringify([one, all])).not.toContain(made.secret);
    const { secret_cipher: kept } = await world.db
      .selectFrom('webhook_subscriptions')
      .select('secret_cipher')
      .executeTakeFirstOrThrow();
    expect(kept.includes(made.secret ?? '')).toBe(false);
    expect(ctx.services.vault.open(kept)).toBe(made.secret);
  });

  it('accepts a secret from the caller, when it is created and when it is rotated', async () => {
    const ctx = await world.site();
    const own = { secret: 'my-own-secret-123' };
    const made = await run(ctx, 'webhook_subscriptions.create', { url: URL, events: ['handoff'], ...own });
    expect(made).toMatchObject({ ...own, secret_hint: '-123' });
    const next = { secret: 'my-next-secret-456', rotate_secret: true } as const;
    const rotated = await run(ctx, 'webhook_subscriptions.update', { id: made.id, ...next });
    expect(rotated).toMatchObject({ secret: next.secret, secret_hint: '-456' });
  });

  it('refuses a secret without rotation, and one that libraries could not use', async () => {
    const ctx = await world.site();
    const { id, secret_hint } = await subscribe(ctx, URL);
    const secret = 'my-next-secret-456';
    await expect(run(ctx, 'webhook_subscriptions.update', { id, secret })).rejects.toMatchObject(
      invalid('secret'),
    );
    await expect(
      run(ctx, 'webhook_subscriptions.update', { id, secret: 'whsec_no-base64-here', rotate_secret: true }),
    ).rejects.toMatchObject(invalid('secret'));
    expect(await run(ctx, 'webhook_subscriptions.list', { id })).toMatchObject({ secret_hint });
  });

  it('refuses a private address on POST and on PATCH, with the other errors', async () => {
    const ctx = await world.site({ allowPrivate: false });
    const events = ['handoff'] as ['handoff'];
    await expect(
      run(ctx, 'webhook_subscriptions.create', { url: URL, events, secret: 'whsec_no-base64-here' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [expect.objectContaining({ path: 'url' }), expect.objectContaining({ path: 'secret' })],
    });
    const { id } = await run(ctx, 'webhook_subscriptions.create', { url: 'https://8.8.8.8/hook', events });
    await expect(
      run(ctx, 'webhook_subscriptions.update', { id, url: 'http://[::1]/' }),
    ).rejects.toMatchObject(invalid('url'));
    expect(await run(ctx, 'webhook_subscriptions.list', { id })).toMatchObject({
      url: 'https://8.8.8.8/hook',
    });
  });

  it('changes only the given fields', async () => {
    const ctx = await world.site();
    const { id } = await run(ctx, 'webhook_subscriptions.create', {
      url: URL,
      events: ['handoff'],
      description: 'Orders',
    });
    world.clock.add(1_000);
    const changed = await run(ctx, 'webhook_subscriptions.update', { id, events: ['feedback'] });
    expect(changed).toMatchObject({ url: URL, events: ['feedback'], description: 'Orders' });
    expect(changed).not.toHaveProperty('secret');
    expect(Date.parse(changed.updated_utc) - Date.parse(changed.created_utc)).toBe(1_000);
    const cleared = await run(ctx, 'webhook_subscriptions.update', { id, description: null });
    expect(cleared.description).toBeNull();
  });

  it('that is switched off shows by whom, gets no events, and forgets it when it is on again', async () => {
    const ctx = await world.site({ actor: { kind: 'agent', agentId: 1, name: 'Grace', role: 'admin' } });
    const { id } = await subscribe(ctx, URL);
    const off = await run(ctx, 'webhook_subscriptions.update', { id, enabled: false });
    expect(off).toMatchObject({ enabled: false, disabled_reason: 'Disabled by Grace.' });
    await emitHandoff(ctx);
    expect(await deliveriesOf(ctx)).toEqual([]);
    const on = await run(ctx, 'webhook_subscriptions.update', { id, enabled: true });
    expect(on).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('is deleted with its deliveries', async () => {
    const ctx = await world.site();
    const { id } = await subscribe(ctx, URL);
    await emitHandoff(ctx);
    expect(await run(ctx, 'webhook_subscriptions.delete', { id })).toEqual({ id, deleted: true });
    expect(await deliveriesOf(ctx)).toEqual([]);
    await expect(run(ctx, 'webhook_subscriptions.delete', { id })).rejects.toMatchObject(NOT_FOUND);
  });

  it('of another site looks as if it did not exist', async () => {
    const [mine, theirs] = [await world.site(), await world.site()];
    const { id } = await subscribe(theirs, URL);
    await emitHandoff(theirs);
    const [delivery] = await deliveriesOf(theirs);
    const attempts = [
      () => run(mine, 'webhook_subscriptions.list', { id }),
      () => run(mine, 'webhook_subscriptions.update', { id, enabled: false }),
      () => run(mine, 'webhook_subscriptions.delete', { id }),
      () => run(mine, 'webhook_subscriptions.test', { id }),
      () => run(mine, 'webhook_deliveries.list', { subscription_id: id }),
      () => run(mine, 'webhook_deliveries.resend', { id: delivery?.id ?? 0 }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(NOT_FOUND);
    expect(await run(mine, 'webhook_subscriptions.list', {})).toMatchObject({ items: [] });
    expect(await deliveriesOf(mine)).toEqual([]);
    expect(await run(theirs, 'webhook_subscriptions.list', { id })).toMatchObject({ id, enabled: true });
  });

  it('is listed newest first, page by page', async () => {
    const ctx = await world.site();
    for (let made = 0; made < 3; made += 1) await subscribe(ctx, `${URL}/${made}`);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await run(ctx, 'webhook_subscriptions.list', { limit: 2, ...(cursor && { cursor }) });
      if (!('items' in page)) throw new Error('not a page');
      seen.push(...page.items.map(({ url }) => url.slice(URL.length)));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['/2', '/1', '/0']);
    await expect(run(ctx, 'webhook_subscriptions.list', { cursor: 'nonsense' })).rejects.toMatchObject(
      invalid('cursor'),
    );
  });

  it('is one of at most 500 of its site', async () => {
    const ctx = await world.site();
    await subscribe(ctx, URL);
    await sql`
      insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
      select site_id, url, events, secret_cipher, secret_hint
      from webhook_subscriptions, generate_series(2, ${MAX_SUBSCRIPTIONS}::int)`.execute(world.db);
    await expect(subscribe(ctx, URL)).rejects.toMatchObject({ code: 'conflict' });
  });
});
