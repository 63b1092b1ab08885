import type { PageInfo } from '@foyer/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../base/errors.ts';

/** A page as operations return it. Entry points put its items into `data` and the rest into `page`. */
interface Page {
  items: unknown[];
  limit: number;
  next_cursor: string | null;
}

/** Recognises a page by its fields, whatever operation it comes from. */
export const isPage = (output: unknown): output is Page =>
  typeof output === 'object' &&
  output !== null &&
  'items' in output &&
  'next_cursor' in output &&
  'limit' in output;

/** The success envelope of every response. */
function envelope(
  output: unknown,
  requestId: string,
): { ok: true; data: unknown; request_id: string; page?: PageInfo } {
  if (!isPage(output)) return { ok: true, data: output, request_id: requestId };
  const { items, limit, next_cursor } = output;
  return { ok: true, data: items, request_id: requestId, page: { limit, next_cursor } };
}

/** Wraps the output in the success envelope; `status` defaults to 200. */
export function sendData(reply: FastifyReply, output: unknown, status = 200): FastifyReply {
  return reply.code(status).send(envelope(output, reply.request.id));
}

/** Only the desk gets reasons, which it translates. The error fields of REST are public and fixed. */
const isDesk = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => url.startsWith('/app/');

/**
 * Sends the error with its own status and headers. The desk gets reasons as well, other callers only the contract's
 * fields.
 */
export function sendError(reply: FastifyReply, refusal: AppError): FastifyReply {
  const { id } = reply.request;
  const error = isDesk(reply.request) ? refusal.deskBody(id) : refusal.body(id);
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ok: false, error }));
}
