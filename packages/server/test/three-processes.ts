import { makeInstallation } from './foyer-process.ts';
import { TEST_SECRET } from './harness.ts';
import { openReadyBalancer } from './ready-balancer.ts';
import { startRedis } from './redis-server.ts';

const PROCESSES = 3;

/** Three processes of Foyer with their own Redis, behind a load balancer that uses them in turn. */
export interface ThreeProcesses {
  url: string;
  redisUrl: string;
  close(): Promise<void>;
}

/** @param databaseUrl of a database that has its tables */
export async function startThreeProcesses(
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<ThreeProcesses> {
  const redis = await startRedis();
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      makeInstallation({
        ...environment,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis.url,
        FOYER_SECRET: TEST_SECRET,
      }),
    ),
  );
  await Promise.all(processes.map((one) => one.start()));
  const balancer = await openReadyBalancer(processes.map(({ url }) => url));
  return {
    url: balancer.url,
    redisUrl: redis.url,
    async close() {
      await balancer.close();
      await Promise.all(processes.map((one) => one.remove()));
      await redis.close();
    },
  };
}
