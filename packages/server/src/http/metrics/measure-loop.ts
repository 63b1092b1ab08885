import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Entry, watchLoop, workFor } from '../../base/loop/loop-time.ts';

/** The first match counts. */
const ENTRY_OF: readonly [prefix: string, entry: Entry][] = [
  ['/v1/', 'rest'],
  ['/mcp', 'mcp'],
  ['/app/api/', 'desk'],
  ['/app/auth/', 'sign_in'],
  ['/app/password/', 'sign_in'],
  ['/app/sso/', 'sign_in'],
  ['/app/setup', 'sign_in'],
  ['/app/invitation', 'sign_in'],
  ['/widget/', 'widget'],
  ['/help/', 'help'],
  ['/portal/', 'portal'],
  ['/scim/', 'scim'],
  ['/attachments/', 'files'],
  ['/pictures/', 'files'],
  ['/inbound/', 'mail'],
];

const entryOf = ({ url }: FastifyRequest): Entry =>
  ENTRY_OF.find(([prefix]) => url.startsWith(prefix))?.[1] ?? 'other';

/** Counts the event loop time that requests use, by their entry point. */
export function measureLoop(server: FastifyInstance): void {
  const end = watchLoop();
  server.addHook('onClose', async () => end());
  server.addHook('onRequest', (request, _reply, done) => workFor(entryOf(request), done));
  // A body arrives in events of the connection, outside of it.
  server.addHook('preValidation', (request, _reply, done) => workFor(entryOf(request), done));
}
