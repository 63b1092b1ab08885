import { z } from 'zod';
import { TICKET_TEXT_MAX } from '../values/bounds.ts';
import { id, sessionId, text } from '../values.ts';

/** What was redacted: a part of a text, a whole message with its files, or one file. */
export const REDACTION_TARGETS = ['text', 'message', 'file'] as const;
export type RedactionTarget = (typeof REDACTION_TARGETS)[number];

export const redacted = z.object({
  session_id: sessionId.nullable(),
  ticket_id: id.nullable(),
  message_id: id.nullable().describe('The message of the chat'),
  reply_id: id.nullable().describe('The reply of the ticket; null for its first message'),
  target: z.enum(REDACTION_TARGETS),
  places: z.int().describe('How many stored records were changed'),
});
export type Redacted = z.infer<typeof redacted>;

export const redactionContract = {
  /** Can’t be undone. Copies in the same conversation, its emails, search and webhooks are redacted too. */
  'redactions.create': {
    input: z
      .strictObject({
        session_id: sessionId.optional().describe('A chat'),
        message_id: id.optional().describe('The message of the chat'),
        ticket_id: id.optional().describe('A ticket'),
        reply_id: id.optional().describe('The reply of the ticket; without it, the ticket’s first message'),
        text: text(1, TICKET_TEXT_MAX)
          .optional()
          .describe('Only this part of the text; without it, all of it'),
        attachment_id: id.optional().describe('Only this file of the message'),
      })
      .superRefine((input, ctx) => {
        const refuse = (path: string, message: string): void =>
          ctx.addIssue({ code: 'custom', path: [path], message });
        if ((input.session_id === undefined) === (input.ticket_id === undefined))
          refuse('session_id', 'must be given if ticket_id isn’t, and not both');
        if ((input.session_id === undefined) !== (input.message_id === undefined))
          refuse('message_id', 'must be given with session_id, and only then');
        if (input.reply_id !== undefined && input.ticket_id === undefined)
          refuse('reply_id', 'requires ticket_id');
        if (input.text !== undefined && input.attachment_id !== undefined)
          refuse('attachment_id', 'must not be given with text');
      })
      .meta({ examples: [{ ticket_id: 42, reply_id: 7, text: '4111 1111 1111 1111' }] }),
    output: redacted,
  },
} as const;
