import { clientId, UPLOAD_MAX_BYTES, type Upload } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { isCallerBlocked } from '../../sites/blocks/find-block.ts';
import { sendData } from '../answer.ts';
import { readBody, takeRaw, tooLarge } from '../rest/raw-body.ts';
import { checkOrigin } from '../sign-in/origin-check.ts';

/** A file as it was sent. */
interface IncomingFile {
  name: string;
  contentType: string | undefined;
  content: Buffer;
}

/** A sender and the files they may send. */
export interface UploadSender {
  ctx: SiteContext;
  maxBytes: number;
  /** @throws AppError for the name of a file that isn't accepted */
  checkName(name: string): void;
}

interface UploadOptions {
  address: PublicAddress;
  /** The visitor with a widget's token, at the site with this public key. */
  visitorOf(publicKey: string, token: string, request: FastifyRequest): Promise<UploadSender | undefined>;
  agentOf(request: FastifyRequest): Promise<UploadSender | undefined>;
  find(ctx: SiteContext, uploadId: string): Promise<Upload | undefined>;
  keep(ctx: SiteContext, uploadId: string, file: IncomingFile): Promise<Upload>;
  drop(ctx: SiteContext, uploadId: string): Promise<void>;
  /** False if this address has sent too many files. */
  admit(address: string): Promise<boolean>;
  /** False if the site's visitors, or those at this address, have sent too much. */
  admitVisitor(siteId: number, address: string, bytes: number): Promise<boolean>;
}

/** How many bytes of uploads may be in this process's memory at once. */
const ROOM_BYTES = 128 * 1024 * 1024;
const BUSY = 'Too many uploads at once. Try again in a moment.';

const tooMany = (retryAfterS: string): AppError =>
  new AppError('rate_limited', 'Too many files from this address.', {
    headers: { 'retry-after': retryAfterS },
  });

const queryOf = (request: FastifyRequest): URLSearchParams =>
  new URL(request.url, 'http://localhost').searchParams;

/**
 * Uploads for chats: `PUT /widget/uploads/ID?site=KEY&name=NAME` with the visitor's token, and the same under
 * `/app` with the desk's cookie. The sender chooses the id, so a retry stores the file once.
 */
export function registerUploads(server: FastifyInstance, options: UploadOptions): void {
  const { address, visitorOf, agentOf, drop, admit } = options;
  const take = createIntake(options);
  const senders = [
    ['/widget/uploads/:id', (request: FastifyRequest) => visitorOfRequest(request, visitorOf)],
    ['/app/uploads/:id', agentOf],
  ] as const;
  server.register(async (scope) => {
    takeRaw(scope, UPLOAD_MAX_BYTES);
    for (const [path, who] of senders) {
      scope.put(path, async (request, reply) => {
        const sender = await senderOf(request, reply, address, who);
        // Refused like anybody who sends too much, so that they don't learn why.
        const isRefused = sender.ctx.actor.kind === 'visitor' && (await isCallerBlocked(sender.ctx));
        if (isRefused || !(await admit(request.ip))) throw tooMany('60');
        return sendData(reply, await take(request, sender), 201);
      });
      scope.delete(path, async (request, reply) => {
        const { ctx, uploadId } = await senderOf(request, reply, address, who);
        await drop(ctx, uploadId);
        return sendData(reply, { deleted: true });
      });
    }
  });
}

async function visitorOfRequest(
  request: FastifyRequest,
  visitorOf: UploadOptions['visitorOf'],
): Promise<UploadSender | undefined> {
  const token = /^Bearer (\S{1,1000})$/.exec(request.headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : visitorOf(queryOf(request).get('site') ?? '', token, request);
}

interface NamedSender extends UploadSender {
  uploadId: string;
}

/** @throws AppError 400, 401, 403 */
async function senderOf(
  request: FastifyRequest,
  reply: FastifyReply,
  address: PublicAddress,
  who: (request: FastifyRequest) => Promise<UploadSender | undefined>,
): Promise<NamedSender> {
  void reply.header('cache-control', 'no-store');
  checkOrigin(request, address);
  const sender = await who(request);
  if (!sender) throw new AppError('unauthorized', 'Uploads require a signed-in agent or a visitor’s token.');
  const uploadId = clientId.safeParse((request.params as { id?: string }).id).data;
  if (uploadId === undefined) throw new AppError('invalid_input', 'The file’s id must be a UUID.');
  return { ...sender, uploadId };
}

/**
 * Reads a file and stores it. All running uploads share ROOM_BYTES; a file that doesn't fit is refused with a 503.
 */
function createIntake({ find, keep, admitVisitor }: UploadOptions) {
  let room = ROOM_BYTES;
  return async (
    request: FastifyRequest,
    { ctx, maxBytes, checkName, uploadId }: NamedSender,
  ): Promise<Upload> => {
    const name = queryOf(request).get('name') ?? '';
    checkName(name);
    const announced = Number(request.headers['content-length'] ?? maxBytes);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    if (ctx.actor.kind === 'visitor' && !(await admitVisitor(ctx.site.id, request.ip, announced)))
      throw tooMany('3600');
    if (announced > room) throw new AppError('unavailable', BUSY, { headers: { 'retry-after': '5' } });
    room -= announced;
    try {
      const content = await readBody(request, announced);
      const known = await find(ctx, uploadId);
      return (
        known ?? (await keep(ctx, uploadId, { name, contentType: request.headers['content-type'], content }))
      );
    } finally {
      room += announced;
    }
  };
}
