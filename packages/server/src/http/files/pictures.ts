import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';

/** A picture that the server has drawn itself. */
export interface StoredPicture {
  readonly contentType: string;
  readonly content: Buffer;
}

/** One that was replaced: where the one of now is. */
interface MovedPicture {
  readonly movedTo: string;
}

/**
 * Pictures under names that their content gives them: whoever has a name may see the picture, and keep it for good.
 * @param policy whether pages of other sites may show them
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
