import { type AnyOperation, operation } from '../core/operation.ts';
import { redactContent } from './redact.ts';

/** Removing texts that should never have been written, from everywhere they were stored. */
export const redactionOperations: AnyOperation[] = [
  operation({
    name: 'redactions.create',
    summary: 'Redact a part of a message, a whole message or a file, and every copy of it',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'redactions', method: 'POST' },
    records: { ticket_id: 'ticket' },
    tool: {
      name: 'redact_content',
      description:
        'Permanently replace a part of a message (text), a whole message or one of its files (attachment_id) by “[redacted]”, in a chat ' +
        '(session_id and message_id) or a ticket (ticket_id, and reply_id unless it is the first message), with every copy in the ' +
        'conversation, its emails, search and webhooks. Use it for card numbers, passwords and the like; it can’t be undone.',
      destructive: true,
    },
    run: redactContent,
  }),
];
