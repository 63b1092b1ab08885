import { type ParsedInputOf, PUSH_DEVICES_MAX, type PushDevice } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput, notFound } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { checkUrl } from '../net/address-guard.ts';
import { isPushKey, type PushSubscription } from './web-push.ts';

interface DeviceRow {
  id: number;
  endpoint: string;
  keys_cipher: Buffer;
  sign_in_id: string;
  user_agent: string | null;
  created_at: Date;
  last_pushed_at: Date | null;
  refused_at: Date | null;
}

const deviceRows = ({ db, site }: SiteContext) =>
  db
    .selectFrom('push_devices as d')
    .innerJoin('auth_sessions as s', 's.id', 'd.sign_in_id')
    .select([
      'd.id',
      'd.endpoint',
      'd.keys_cipher',
      'd.sign_in_id',
      'd.created_at',
      'd.last_pushed_at',
      'd.refused_at',
    ])
    .select('s.user_agent')
    .where('d.site_id', '=', site.id)
    .where('s.expires_at', '>', sql<Date>`now()`);

const present = ({ actor }: SiteContext, row: DeviceRow): PushDevice => ({
  id: row.id,
  user_agent: row.user_agent ?? '',
  current: actor.kind === 'agent' && actor.signInId === row.sign_in_id,
  created_utc: row.created_at.toISOString(),
  last_pushed_utc: row.last_pushed_at?.toISOString() ?? null,
  refused_utc: row.refused_at?.toISOString() ?? null,
});

const ownRows = (ctx: SiteContext): Promise<DeviceRow[]> =>
  deviceRows(ctx).where('d.agent_id', '=', agentActor(ctx).agentId).orderBy('d.id', 'desc').execute();

/** The agent's own devices, newest first. */
export const listPushDevices = async (ctx: SiteContext): Promise<PushDevice[]> =>
  (await ownRows(ctx)).map((row) => present(ctx, row));

/** The ids of an agent's devices that get pushes now. */
export async function liveDeviceIds(ctx: SiteContext, agentId: number): Promise<number[]> {
  const rows = await deviceRows(ctx).where('d.agent_id', '=', agentId).execute();
  return rows.map(({ id }) => id);
}

/** Undefined if the device's session has ended, its agent was removed, or its push service dropped it. */
export async function findSubscription(
  ctx: SiteContext,
  id: number,
): Promise<(PushSubscription & { agentId: number }) | undefined> {
  const row = await deviceRows(ctx)
    .innerJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'd.site_id').onRef('a.id', '=', 'd.agent_id'),
    )
    .select('d.agent_id')
    .where('d.id', '=', id)
    .where('a.removed_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const keys: Omit<PushSubscription, 'endpoint'> = JSON.parse(ctx.services.vault.open(row.keys_cipher));
  return { ...keys, endpoint: row.endpoint, agentId: row.agent_id };
}

async function checkEndpoint(ctx: SiteContext, endpoint: string): Promise<void> {
  const problem = endpoint.startsWith('https://')
    ? await checkUrl(endpoint, ctx.services.webhooks)
    : 'must start with https://';
  if (problem !== null) throw invalidInput([{ path: 'endpoint', message: problem }]);
}

function checkKey(p256dh: string): void {
  if (!isPushKey(p256dh)) throw invalidInput([{ path: 'p256dh', message: 'must be a P-256 key' }]);
}

/**
 * Registers this browser for the agent's pushes, as long as the calling session lasts. It replaces a registration for
 * another agent or by an earlier session.
 * @throws AppError 400 for an address outside the public internet, and for an unusable key.
 */
export async function addPushDevice(
  ctx: SiteContext,
  { endpoint, ...keys }: ParsedInputOf<'push_devices.add'>,
): Promise<PushDevice> {
  const { agentId, signInId } = agentActor(ctx);
  if (signInId === undefined) throw new AppError('unauthorized', 'Sign in first.');
  checkKey(keys.p256dh);
  await checkEndpoint(ctx, endpoint);
  const device = {
    agent_id: agentId,
    sign_in_id: signInId,
    keys_cipher: ctx.services.vault.seal(JSON.stringify(keys)),
    refused_at: null,
  };
  return ctx.transaction(async (tx) => {
    const { id } = await tx.db
      .insertInto('push_devices')
      .values({ ...device, site_id: tx.site.id, endpoint, created_at: tx.now() })
      .onConflict((conflict) => conflict.columns(['site_id', 'endpoint']).doUpdateSet(device))
      .returning('id')
      .executeTakeFirstOrThrow();
    // One device per session: browsers don't report when they drop a subscription.
    await sql`
      delete from push_devices d where d.site_id = ${tx.site.id} and d.agent_id = ${agentId} and d.id <> ${id} and (
        d.sign_in_id = ${signInId} or d.id <= (
          select k.id from push_devices k where k.site_id = d.site_id and k.agent_id = d.agent_id and k.id <> ${id}
          order by k.id desc offset ${PUSH_DEVICES_MAX - 1} limit 1))`.execute(tx.db);
    const row = await deviceRows(tx).where('d.id', '=', id).executeTakeFirstOrThrow();
    return present(tx, row);
  });
}

/** @throws AppError 404, also for a colleague's. */
export async function getOwnDevice(ctx: SiteContext, id: number): Promise<PushDevice> {
  const row = (await ownRows(ctx)).find((one) => one.id === id);
  if (!row) throw notFound('device');
  return present(ctx, row);
}

/** @throws AppError 404, also for a colleague's device. */
export async function removePushDevice(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  await getOwnDevice(ctx, id);
  await dropDevice(ctx, id);
  return { id, deleted: true };
}

/** Deletes a device that its push service no longer knows. */
export async function dropDevice(ctx: SiteContext, id: number): Promise<void> {
  await ctx.db.deleteFrom('push_devices').where('site_id', '=', ctx.site.id).where('id', '=', id).execute();
}

/** Records when the device last got a push, or that its push service refused one; the agent sees it in the list of devices. */
export async function notePush(ctx: SiteContext, id: number, outcome: 'sent' | 'refused'): Promise<void> {
  await ctx.db
    .updateTable('push_devices')
    .set(outcome === 'sent' ? { last_pushed_at: ctx.now(), refused_at: null } : { refused_at: ctx.now() })
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .execute();
}
