import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { sendData } from './answer.ts';

/** Other calls report a lost database within 10 s; probes need to know sooner. */
const READY_TIMEOUT_MS = 3_000;

/** Registers `/healthz` and `/readyz`. @param ping queries the database */
export function registerHealth(server: FastifyInstance, ping: () => Promise<unknown>): void {
  server.get('/healthz', (_request, reply) => sendData(reply, { status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('timeout')), READY_TIMEOUT_MS).unref();
    });
    await Promise.race([ping(), late]).catch((error) => {
      throw new AppError('unavailable', 'The database is unavailable.', { cause: error });
    });
    return sendData(reply, { status: 'ready' });
  });
}
