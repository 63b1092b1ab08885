import type { FastifyInstance } from 'fastify';
import type { Inbound } from '../email/routes/http/receive.ts';
import { formFields } from './inbound-form.ts';
import { queryOf } from './rest/admission.ts';
import { readBody, takeRaw } from './rest/raw-body.ts';

/** A mail of the largest size in base64, in the JSON or form of a service. */
const BODY_MAX_BYTES = 52 * 1024 * 1024;

/** The URLs to which mail services post the mail of mailboxes. The token in one is the mailbox’s secret. */
export async function registerInboundEmail(server: FastifyInstance, inbound: Inbound): Promise<void> {
  await server.register(async (door) => {
    takeRaw(door, BODY_MAX_BYTES);
    // Mailgun posts the original message only to an address with this ending.
    for (const url of ['/inbound/email/:token', '/inbound/email/:token/mime'])
      door.post<{ Params: { token: string } }>(url, async (request, reply) => {
        const contentType = request.headers['content-type'] ?? '';
        const stored = await inbound.receive(request.params.token, async () => {
          const body = await readBody(request, BODY_MAX_BYTES);
          return {
            contentType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
            headers: request.headers,
            query: Object.fromEntries(queryOf(request)),
            body,
            fields: await formFields(contentType, body),
          };
        });
        return reply.send({ stored });
      });
  });
}
