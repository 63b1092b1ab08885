import { KNOWLEDGE_FILE_MAX_BYTES, type KnowledgeSource } from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalidInput } from '../../base/errors.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import type { SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { sendData } from '../answer.ts';
import { readBody, takeRaw } from '../rest/raw-body.ts';
import { checkOrigin } from '../sign-in/origin-check.ts';

interface KnowledgeFileOptions {
  address: PublicAddress;
  /** Undefined for everybody but signed-in admins. */
  adminOf(request: FastifyRequest): Promise<SiteContext | undefined>;
  keep(ctx: SiteContext, file: { name: string; content: Buffer }): Promise<KnowledgeSource>;
}

/** How many files may be in memory at once. */
const FILES_AT_ONCE = 2;

/**
 * Files that the bot answers from: `PUT /app/knowledge-files?name=NAME` with the desk's cookie. The name identifies the
 * file, so a retry stores it once and a newer one replaces it.
 */
export function registerKnowledgeFiles(server: FastifyInstance, options: KnowledgeFileOptions): void {
  const { address, adminOf, keep } = options;
  const semaphore = createSemaphore(FILES_AT_ONCE);
  server.register(async (door) => {
    takeRaw(door, KNOWLEDGE_FILE_MAX_BYTES);
    door.put('/app/knowledge-files', async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      checkOrigin(request, address);
      const ctx = await adminOf(request);
      if (!ctx) throw new AppError('unauthorized', 'Sign in as an admin to continue.');
      const name = new URL(request.url, 'http://localhost').searchParams.get('name') ?? '';
      if (name === '') throw invalidInput([{ path: 'name', message: 'is missing', reason: 'missing' }]);
      const source = await semaphore.run(async () => {
        const content = await readBody(request, KNOWLEDGE_FILE_MAX_BYTES);
        return keep(ctx, { name, content });
      });
      return sendData(reply, source, 201);
    });
  });
}
