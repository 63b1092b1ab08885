import { once } from 'node:events';
import { reasonOf } from '../../base/start-error.ts';
import type { Config } from '../../config.ts';
import { connectRedis } from '../../redis/connection.ts';
import { type Check, ok, warning } from './check.ts';

const CHECK_MS = 5_000;

/** Whether Redis answers. Foyer runs without it, so a failure is a warning. */
export async function checkRedis({ redis }: Config): Promise<Check[]> {
  if (!redis) return [];
  const what = { single: 'one server', sentinel: 'behind sentinels', cluster: 'a cluster' }[redis.kind];
  const late = once(AbortSignal.timeout(CHECK_MS), 'abort').then(() => {
    throw new Error('no answer');
  });
  try {
    const connection = await Promise.race([connectRedis(redis, () => undefined), late]);
    await Promise.race([connection.check('foyer:doctor'), late]).finally(connection.destroy);
    return [ok('redis', `${what}${redis.tls ? ', with TLS' : ''}`)];
  } catch (error) {
    return [warning('redis', `${what}, unavailable: ${reasonOf(error)}`)];
  }
}
