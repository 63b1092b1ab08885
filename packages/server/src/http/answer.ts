import type { PageInfo } from '@foyer/protocol';
import type { FastifyReply } from 'fastify';
import type { AppError } from '../errors.ts';

/** A page as operations return it; the doors put its items into `data` and the rest into `page`. */
interface Page {
  items: unknown[];
  limit: number;
  next_cursor: string | null;
}

export const isPage = (output: unknown): output is Page =>
  typeof output === 'object' &&
  output !== null &&
  'items' in output &&
  'next_cursor' in output &&
  'limit' in output;

/** The success envelope of every door (interface, "Response envelope"). */
export function envelope(
  output: unknown,
  requestId: string,
): { ok: true; data: unknown; request_id: string; page?: PageInfo } {
  if (!isPage(output)) return { ok: true, data: output, request_id: requestId };
  const { items, limit, next_cursor } = output;
  return { ok: true, data: items, request_id: requestId, page: { limit, next_cursor } };
}

export function sendData(reply: FastifyReply, output: unknown, status = 200): FastifyReply {
  return reply.code(status).send(envelope(output, reply.request.id));
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ok: false, error: error.body(reply.request.id) }));
}
