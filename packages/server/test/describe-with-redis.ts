import { describe } from 'vitest';
import { redisProgram } from './redis-server.ts';

if (redisProgram === undefined) {
  if (process.env.CI === 'true') throw new Error('redis-server or valkey-server must be installed');
  console.warn('Neither redis-server nor valkey-server is installed: what needs Redis is not tested.');
}

/** For tests that need Redis: skipped on a machine without it. */
export const describeWithRedis = describe.skipIf(redisProgram === undefined);
