import { IMPORT_PART_BYTES, id as recordId } from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../base/errors.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import type { SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { sendData } from '../answer.ts';
import { readBody, takeRaw } from '../rest/raw-body.ts';
import { checkOrigin } from '../sign-in/origin-check.ts';

interface ImportRouteOptions {
  address: PublicAddress;
  /** Undefined for everybody but signed-in admins. */
  adminOf(request: FastifyRequest): Promise<SiteContext | undefined>;
  keep(ctx: SiteContext, id: number, number: number, content: Buffer): Promise<{ parts: number }>;
}

/** How many parts may be in memory at once. */
const PARTS_AT_ONCE = 8;

const partParams = z.object({
  id: z.coerce.number().pipe(recordId),
  number: z.coerce.number().pipe(recordId),
});

/** Uploads for imports, in parts: `PUT /app/imports/ID/parts/NUMBER` with the desk's cookie. */
export function registerImports(server: FastifyInstance, options: ImportRouteOptions): void {
  const { address, adminOf, keep } = options;
  const semaphore = createSemaphore(PARTS_AT_ONCE);
  server.register(async (door) => {
    takeRaw(door, IMPORT_PART_BYTES);
    door.put('/app/imports/:id/parts/:number', async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      checkOrigin(request, address);
      const ctx = await adminOf(request);
      if (!ctx) throw new AppError('unauthorized', 'Sign in as an admin to continue.');
      const { data: params } = partParams.safeParse(request.params);
      if (!params) throw notFound('import');
      const kept = await semaphore.run(async () => {
        const content = await readBody(request, IMPORT_PART_BYTES);
        return keep(ctx, params.id, params.number, content);
      });
      return sendData(reply, kept);
    });
  });
}
