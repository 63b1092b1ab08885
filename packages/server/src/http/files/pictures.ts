import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';

/** An image encoded by the server. */
export interface StoredPicture {
  readonly contentType: string;
  readonly content: Buffer;
}

/** A replaced picture: the address of the current one. */
interface MovedPicture {
  readonly movedTo: string;
}

/**
 * Serves pictures under names derived from their content: everyone with the name may see the picture, and cache it
 * forever.
 * @param policy whether pages of other sites may embed them
 */
export function servePictures(
  server: FastifyInstance,
  path: string,
  policy: 'same-site' | 'cross-origin',
  find: (name: string) => Promise<StoredPicture | MovedPicture | undefined>,
): void {
  server.get<{ Params: { name: string } }>(`${path}:name`, async (request, reply) => {
    const picture = await find(request.params.name);
    if (!picture) throw new AppError('not_found', 'No such picture.');
    reply.header('cross-origin-resource-policy', policy);
    if ('movedTo' in picture) return reply.header('cache-control', 'no-cache').redirect(picture.movedTo);
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      .type(picture.contentType)
      .send(picture.content);
  });
}
