import { z } from 'zod';
import { id, page, paging, sessionId, utc } from '../values.ts';
import { visitorRef } from '../visitors/visitors.ts';
import { spamMark } from './spam-mark.ts';

/** A marked chat or ticket: one of the two ids is null. */
export const spamEntry = z.object({
  session_id: sessionId.nullable(),
  ticket_id: id.nullable(),
  visitor: visitorRef.describe('Who wrote it'),
  about: z.string().nullable().describe('The subject of a ticket, or how the chat began'),
  spam: spamMark.nullable().describe('Null once it is marked as not spam'),
  created_utc: utc,
});
export type SpamEntry = z.infer<typeof spamEntry>;

export const spamContract = {
  /** Marked chats and tickets by the time of their mark, the newest first unless `order=asc`. */
  'spam.list': { input: z.strictObject({ ...paging }), output: page(spamEntry) },
  /** Repeating it changes nothing. */
  'spam.set': {
    input: z
      .strictObject({
        session_id: sessionId.optional().describe('A chat'),
        ticket_id: id.optional().describe('A ticket'),
        spam: z.boolean().describe('False marks it as not spam'),
      })
      .refine(({ session_id, ticket_id }) => (session_id === undefined) !== (ticket_id === undefined), {
        path: ['session_id'],
        message: 'must be given if ticket_id isn’t, and not both',
      })
      .meta({ examples: [{ ticket_id: 42, spam: true }] }),
    output: spamEntry,
  },
} as const;
