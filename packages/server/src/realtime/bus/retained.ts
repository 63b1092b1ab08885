import { createScript, type Redis } from '../../redis/redis.ts';

// A hash for each channel, whose name is the channel's, with a field for each state: `until|sent|message`, by Redis'
// clock. Redis 7.0 can't expire single fields, so each write removes expired ones.
const CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
const RETAIN = createScript(`${CLOCK}
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if tonumber(string.match(all[at + 1], '^%d+')) < now then redis.call('HDEL', KEYS[1], all[at]) end
end
local lease = tonumber(ARGV[2])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d|%d|%s', now + lease, now, ARGV[3]))
if redis.call('PTTL', KEYS[1]) < lease then redis.call('PEXPIRE', KEYS[1], lease) end
return 0
`);
const RECALL = createScript(`${CLOCK}
local found = {}
for _, value in ipairs(redis.call('HVALS', KEYS[1])) do
  local till, sent, message = string.match(value, '^(%d+)|(%d+)|(.*)$')
  if tonumber(till) >= now then
    found[#found + 1] = now - sent
    found[#found + 1] = message
  end
end
return found
`);

export interface Retained {
  message: string;
  ageMs: number;
}

/** Keeps a state of a channel for a while. @throws RedisUnavailable */
export async function retain(
  redis: Redis,
  channel: string,
  { name, message, forMs }: { name: string; message: string; forMs: number },
): Promise<void> {
  await redis.run(RETAIN, channel, [name, String(forMs), message]);
}

/** The valid states of a channel. @throws RedisUnavailable */
export async function recall(redis: Redis, channel: string): Promise<Retained[]> {
  const answer = await redis.run(RECALL, channel, []);
  const values: unknown[] = Array.isArray(answer) ? answer : [];
  return values.flatMap((value, at) =>
    at % 2 === 0 ? [{ ageMs: Number(value), message: String(values[at + 1]) }] : [],
  );
}
