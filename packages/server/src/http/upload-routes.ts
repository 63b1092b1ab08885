import { clientId, UPLOAD_MAX_BYTES, type Upload } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SiteContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { sendData } from './answer.ts';
import { checkOrigin } from './origin-check.ts';
import { readBody, takeRaw, tooLarge } from './raw-body.ts';

/** What is under way of one file. */
interface IncomingFile {
  name: string;
  contentType: string | undefined;
  content: Buffer;
}

/** Somebody who may send files, and what they may send. */
export interface UploadSender {
  ctx: SiteContext;
  maxBytes: number;
  /** @throws AppError for a name that says that the file is none of those that are taken. */
  checkName(name: string): void;
}

export interface UploadOptions {
  baseUrl: string;
  /** The visitor of a widget's token, for the site of this public key. */
  visitorOf(publicKey: string, token: string, request: FastifyRequest): Promise<UploadSender | undefined>;
  agentOf(request: FastifyRequest): Promise<UploadSender | undefined>;
  find(ctx: SiteContext, uploadId: string): Promise<Upload | undefined>;
  keep(ctx: SiteContext, uploadId: string, file: IncomingFile): Promise<Upload>;
  drop(ctx: SiteContext, uploadId: string): Promise<void>;
  /** False when this address has sent too much. */
  admit(address: string): boolean;
}

/** Bytes of files that may be on their way into this process's memory at once. */
const ROOM_BYTES = 128 * 1024 * 1024;
const BUSY = 'Too many files are being sent right now. Try again in a moment.';

const queryOf = (request: FastifyRequest): URLSearchParams =>
  new URL(request.url, 'http://localhost').searchParams;

/**
 * Files on their way into a chat: `PUT /widget/uploads/ID?site=KEY&name=NAME` with the visitor's token, and the same
 * under `/app` with the dashboard's cookie. The id is the sender's, so the same file sent again is kept once.
 */
export function registerUploads(server: FastifyInstance, options: UploadOptions): void {
  const { baseUrl, visitorOf, agentOf, find, keep, drop, admit } = options;
  let room = ROOM_BYTES;

  const visitor = (request: FastifyRequest): Promise<UploadSender | undefined> => {
    const token = /^Bearer (\S{1,200})$/.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined
      ? Promise.resolve(undefined)
      : visitorOf(queryOf(request).get('site') ?? '', token, request);
  };
  const senderOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    who: (request: FastifyRequest) => Promise<UploadSender | undefined>,
  ): Promise<UploadSender & { uploadId: string }> => {
    void reply.header('cache-control', 'no-store');
    checkOrigin(request, baseUrl);
    const sender = await who(request);
    if (!sender) throw new AppError('unauthorized', 'Whoever sends files must be known here.');
    const uploadId = clientId.safeParse((request.params as { id?: string }).id).data;
    if (uploadId === undefined) throw new AppError('invalid_input', 'The id of the file must be a UUID.');
    return { ...sender, uploadId };
  };

  const take = async (
    request: FastifyRequest,
    { ctx, maxBytes, checkName, uploadId }: UploadSender & { uploadId: string },
  ) => {
    const name = queryOf(request).get('name') ?? '';
    checkName(name);
    const announced = Number(request.headers['content-length'] ?? maxBytes);
    if (announced > maxBytes) throw tooLarge(maxBytes);
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

  server.register(async (door) => {
    takeRaw(door, UPLOAD_MAX_BYTES);
    for (const [path, who] of [
      ['/widget/uploads/:id', visitor],
      ['/app/uploads/:id', agentOf],
    ] as const) {
      door.put(path, async (request, reply) => {
        const sender = await senderOf(request, reply, who);
        if (!admit(request.ip))
          throw new AppError('rate_limited', 'Too many files from this address.', {
            headers: { 'retry-after': '60' },
          });
        return sendData(reply, await take(request, sender), 201);
      });
      door.delete(path, async (request, reply) => {
        const { ctx, uploadId } = await senderOf(request, reply, who);
        await drop(ctx, uploadId);
        return sendData(reply, { deleted: true });
      });
    }
  });
}
