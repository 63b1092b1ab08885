import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { sendData, sendError } from './answer.ts';

/** Other calls report a lost database within 10 s; probes need to know sooner. */
const READY_TIMEOUT_MS = 3_000;

interface Health {
  /** Queries the database. */
  ping(): Promise<unknown>;
  /** This process is about to stop: a balancer should send no new requests. */
  isDraining(): boolean;
  /** Undefined without Redis. */
  isRedisUp(): boolean | undefined;
  /** Undefined without a replica. */
  replicaState(): 'up' | 'behind' | 'down' | undefined;
}

/** Registers `/healthz` and `/readyz`. */
export function registerHealth(
  server: FastifyInstance,
  { ping, isDraining, isRedisUp, replicaState }: Health,
): void {
  server.get('/healthz', (_request, reply) => sendData(reply, { status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    // Expected, so not in the log.
    if (isDraining()) return sendError(reply, new AppError('unavailable', 'This process is stopping.'));
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('timeout')), READY_TIMEOUT_MS).unref();
    });
    await Promise.race([ping(), late]).catch((error) => {
      throw new AppError('unavailable', 'The database is unavailable.', { cause: error });
    });
    const isUp = isRedisUp();
    const replica = replicaState();
    // Still 200 if degraded: every node would be taken out at once, though each of them serves.
    const isDegraded = isUp === false || (replica !== undefined && replica !== 'up');
    return sendData(reply, {
      status: isDegraded ? 'degraded' : 'ready',
      ...(isUp === undefined ? {} : { redis: isUp ? 'up' : 'down' }),
      ...(replica === undefined ? {} : { replica }),
    });
  });
}
