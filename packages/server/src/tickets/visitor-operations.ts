import { type AnyOperation, operation } from '../core/operation.ts';
import { leaveEmail } from './leave-email.ts';

/** What a visitor can do about tickets over the widget's socket. */
export const visitorTicketOperations: AnyOperation[] = [
  operation({
    name: 'chat.leave_email',
    summary: 'Leave an email address for the answer',
    who: ['visitor'],
    scope: 'write',
    records: { session_id: 'session' },
    run: (ctx, { session_id, email, name }) => leaveEmail(ctx, session_id, email, name),
  }),
];
