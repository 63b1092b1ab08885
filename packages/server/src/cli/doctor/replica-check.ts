import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { reasonOf } from '../../base/start-error.ts';
import type { Config } from '../../config.ts';
import { isSameDatabase, type Position, positionOf } from '../../db/replica/position.ts';
import { settleTls } from '../../db/tls.ts';
import { connect } from '../database-door.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const LOOK_MS = 100;
const LOOK_MAX_MS = 5_000;

/** Waits until the replica has everything that the primary had. */
async function catchUp(client: pg.Client, primary: Position): Promise<Check> {
  const began = performance.now();
  for (;;) {
    const { lsn } = await positionOf(client);
    const tookMs = Math.round(performance.now() - began);
    if (lsn >= primary.lsn) return ok('replica', `in step within ${tookMs} ms`);
    if (tookMs > LOOK_MAX_MS) {
      const behind = Math.ceil((primary.lsn - lsn) / 1_000);
      return warning('replica', `${behind} kB of the log behind after ${LOOK_MAX_MS / 1_000} s`);
    }
    await delay(LOOK_MS);
  }
}

/** Whether the replica is one of this database, and how far behind. Without it the primary answers: a warning. */
export async function checkReplica(primary: pg.Client, { databaseReplicaUrl }: Config): Promise<Check[]> {
  if (databaseReplicaUrl === undefined) return [];
  try {
    const client = await connect(await settleTls(databaseReplicaUrl));
    try {
      const [there, here] = [await positionOf(client), await positionOf(primary)];
      if (!isSameDatabase(there, here))
        return [
          wrong('replica', 'another database: set DATABASE_REPLICA_URL to a streaming replica of this one'),
        ];
      if (!there.isStandby) return [wrong('replica', 'no standby: it was promoted, or never was one')];
      return [await catchUp(client, here)];
    } finally {
      await client.end();
    }
  } catch (error) {
    return [warning('replica', `unavailable, so the primary answers: ${reasonOf(error)}`)];
  }
}
