import { CLOSE_RESTART } from '@foyer/protocol';
import type { FastifyInstance } from 'fastify';
import type { Schedule } from '../jobs/schedule.ts';
import type { Parts } from './parts.ts';

/** How long clients have to answer the close frame of their socket. */
const GOODBYE_MS = 1_500;
const TIDY_MS = 100;

/**
 * Stops everything in an order in which nothing loses what it still needs. A failing step doesn't stop the others.
 */
export async function shutDown(
  server: FastifyInstance,
  { live, queue, tokens, deliveries, pages, redis, replica, lookups, database, log }: Parts,
  schedule: Pick<Schedule, 'stop'> | undefined,
): Promise<void> {
  for (const peer of live.hub.peers) peer.close(CLOSE_RESTART, 'restarting');
  // A client that doesn't read never answers the close frame and must not keep the process alive.
  const cut = setTimeout(() => {
    for (const client of server.websocketServer?.clients ?? []) client.terminate();
  }, GOODBYE_MS);
  // A connection becomes idle only when its request has ended, and would then be kept open for the next one.
  const tidy = setInterval(() => server.server.closeIdleConnections(), TIDY_MS);
  const steps: [string, () => Promise<unknown> | undefined][] = [
    // In parallel, because slow receivers and slow requests needn't wait for each other.
    ['server and deliveries', () => Promise.all([server.close(), deliveries?.stop()])],
    ['jobs', () => Promise.all([queue.stop(), schedule?.stop()])],
    ['token counts', () => tokens.stop()],
    ['open pages', () => pages.stop()],
    ['notices', () => live.close()],
    ['redis', async () => redis?.close()],
    ['replica', async () => replica?.close()],
    ['database', () => Promise.all([lookups.close(), database.close()])],
  ];
  for (const [name, step] of steps) {
    await step()?.catch((error) => log.error({ err: error, step: name }, 'shutdown was not clean'));
  }
  clearTimeout(cut);
  clearInterval(tidy);
}
