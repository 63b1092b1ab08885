import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** A picture that the server has drawn itself. */
export interface StoredPicture {
  readonly contentType: string;
  readonly content: Buffer;
}

/**
 * Pictures under names that their content gives them: whoever has a name may see the picture, and keep it for good.
 * @param policy whether pages of other sites may show them
 */
export function servePictures(
  server: FastifyInstance,
  path: string,
  policy: 'same-site' | 'cross-origin',
  find: (name: string) => Promise<StoredPicture | undefined>,
): void {
  server.get<{ Params: { name: string } }>(`${path}:name`, async (request, reply) => {
    const picture = await find(request.params.name);
    if (!picture) throw new AppError('not_found', 'There is no such picture.');
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': policy,
      })
      .type(picture.contentType)
      .send(picture.content);
  });
}
