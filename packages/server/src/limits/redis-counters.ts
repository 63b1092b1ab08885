import { createScript, type Redis } from '../redis/redis.ts';
import type { Counters } from './counters.ts';

// By Redis' clock: a key is a window, and expires with it.
const TAKE = createScript(`
local amount, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then used, left = 0, window end
if used + amount > max then return {0, used, left} end
if used == 0 then redis.call('SET', KEYS[1], amount, 'PX', left)
else redis.call('INCRBY', KEYS[1], amount) end
return {1, used + amount, left}
`);

const GIVE_BACK = createScript(`
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 0
`);

/** In Redis: for all nodes, by scripts, which run one after another. @throws RedisUnavailable */
export function createRedisCounters(redis: Redis): Counters {
  return {
    async take(key, { amount, max, windowMs }) {
      const answer = await redis.run(TAKE, `limit:${key}`, [amount, max, windowMs].map(String));
      const [allowed, used, leftMs] = (Array.isArray(answer) ? answer : []).map(Number);
      if (allowed === undefined || used === undefined || leftMs === undefined)
        throw new Error('a script answered in another form');
      return { allowed: allowed === 1, used, leftMs };
    },
    giveBack: async (key) => void (await redis.run(GIVE_BACK, `limit:${key}`, [])),
  };
}
