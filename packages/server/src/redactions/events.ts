import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { type Needle, REDACTED, redactJson } from './needle.ts';

/** The parts of a webhook's body that repeat a message. */
export interface Repeated {
  needle: Needle | undefined;
  /** The message or reply that is redacted as a whole. */
  messageId: number | null;
  replyId: number | null;
  files: readonly number[];
}

interface StoredEvent {
  id: string;
  body: Buffer;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A message or reply in a body without its text if that is redacted whole, and without redacted files. */
function withoutRedacted(
  part: unknown,
  field: 'text' | 'body',
  isWhole: boolean,
  files: readonly number[],
): unknown {
  if (!isRecord(part)) return part;
  const attachments = Array.isArray(part.attachments)
    ? part.attachments.filter((file) => !isRecord(file) || !files.includes(Number(file.id)))
    : undefined;
  return { ...part, ...(isWhole ? { [field]: REDACTED } : {}), ...(attachments ? { attachments } : {}) };
}

function redactBody(sent: unknown, { needle, messageId, replyId, files }: Repeated): unknown {
  const body = needle ? redactJson(sent, needle, true) : sent;
  if (!isRecord(body)) return body;
  const idOf = (part: unknown): unknown => (isRecord(part) ? part.id : null);
  const { message, reply } = body;
  return {
    ...body,
    ...(message === undefined
      ? {}
      : {
          message: withoutRedacted(message, 'text', messageId !== null && idOf(message) === messageId, files),
        }),
    ...(reply === undefined
      ? {}
      : { reply: withoutRedacted(reply, 'body', replyId !== null && idOf(reply) === replyId, files) }),
  };
}

/**
 * Bodies of webhooks about these chats and tickets. Pending deliveries are sent redacted: that outweighs the promise
 * that every attempt is the same. Receivers' responses may repeat what they got, so they are deleted.
 * @returns how many bodies were changed
 */
export async function redactEvents(
  { db, site }: SiteContext,
  of: { sessionIds: readonly string[]; tickets: readonly number[] },
  repeated: Repeated,
): Promise<number> {
  // With a space in bodies from which a person was erased.
  const traces = ['', ' ']
    .flatMap((space) => [
      ...of.sessionIds.map((sessionId) => `"session_id":${space}${JSON.stringify(sessionId)}`),
      ...of.tickets.map((id) => `"ticket_id":${space}${id},`),
    ])
    .map((trace) => Buffer.from(trace));
  const { rows } = await sql<StoredEvent>`
    select id, body from webhook_events
    where site_id = ${site.id}
      and exists (select from unnest(${traces}::bytea[]) as trace where position(trace in body) > 0)
    for update`.execute(db);
  let changed = 0;
  for (const { id, body } of rows) {
    const before = body.toString();
    const after = JSON.stringify(redactBody(JSON.parse(before), repeated));
    if (after === before) continue;
    changed++;
    await sql`
      update webhook_events set body = ${Buffer.from(after)} where site_id = ${site.id} and id = ${id}`.execute(
      db,
    );
    await sql`
      update webhook_attempts a set response_excerpt = null from webhook_deliveries d
      where d.site_id = ${site.id} and d.event_id = ${id} and a.site_id = d.site_id and a.delivery_id = d.id`.execute(
      db,
    );
  }
  return changed;
}
