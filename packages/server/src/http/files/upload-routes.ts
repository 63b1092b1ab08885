import { clientId, UPLOAD_MAX_BYTES, type Upload } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { sendData } from '../answer.ts';
import { readBody, takeRaw, tooLarge } from '../rest/raw-body.ts';
import { checkOrigin } from '../sign-in/origin-check.ts';

/** A file as it was sent. */
interface IncomingFile {
  name: string;
  contentType: string | undefined;
  content: Buffer;
}

/** Who may send files, and which. */
export interface UploadSender {
  ctx: SiteContext;
  maxBytes: number;
  /** @throws AppError for a name whose kind of file is not accepted. */
  checkName(name: string): void;
}

interface UploadOptions {
  address: PublicAddress;
  /** The visitor of a widget's token, for the site of this public key. */
  visitorOf(publicKey: string, token: string, request: FastifyRequest): Promise<UploadSender | undefined>;
  agentOf(request: FastifyRequest): Promise<UploadSender | undefined>;
  find(ctx: SiteContext, uploadId: string): Promise<Upload | undefined>;
  keep(ctx: SiteContext, uploadId: string, file: IncomingFile): Promise<Upload>;
  drop(ctx: SiteContext, uploadId: string): Promise<void>;
  /** False when this address has sent too much; `bytes` of a visitor's file. */
  admit(address: string, bytes?: number): boolean;
}

/** Bytes of files that may be on their way into this process's memory at once. */
const ROOM_BYTES = 128 * 1024 * 1024;
const BUSY = 'Too many uploads at once. Try again in a moment.';

const tooMany = (retryAfterS: string): AppError =>
  new AppError('rate_limited', 'Too many files from this address.', {
    headers: { 'retry-after': retryAfterS },
  });

const queryOf = (request: FastifyRequest): URLSearchParams =>
  new URL(request.url, 'http://localhost').searchParams;

/**
 * Files on their way into a chat: `PUT /widget/uploads/ID?site=KEY&name=NAME` with the visitor's token, and the same
 * under `/app` with the dashboard's cookie. The id is the sender's, so the same file sent again is kept once.
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
        if (!admit(request.ip)) throw tooMany('60');
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

/** Reads a file and stores it. All that are being read share ROOM_BYTES; a file that doesn't fit is refused with a 503. */
function createIntake({ find, keep, admit }: UploadOptions) {
  let room = ROOM_BYTES;
  return async (
    request: FastifyRequest,
    { ctx, maxBytes, checkName, uploadId }: NamedSender,
  ): Promise<Upload> => {
    const name = queryOf(request).get('name') ?? '';
    checkName(name);
    const announced = Number(request.headers['content-length'] ?? maxBytes);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    if (ctx.actor.kind === 'visitor' && !admit(request.ip, announced)) throw tooMany('3600');
    if (announced > room) throw new AppError('unavailable', BUSY, { headers: { 'retry-after': '5' } });
    room -= announced;
    try {
      const content = await readBody(request.body as AsyncIterable<Buffer>, announced);
      const known = await find(ctx, uploadId);
      return (
        known ?? (await keep(ctx, uploadId, { name, contentType: request.headers['content-type'], content }))
      );
    } finally {
      room += announced;
    }
  };
}
