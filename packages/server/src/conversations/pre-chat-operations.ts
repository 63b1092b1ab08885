import { type AnyOperation, operation } from '../core/operation.ts';
import { introduce } from './introduction.ts';
import { mailTranscript } from './transcript-mail.ts';

/** The visitor's other operations over the widget's socket. */
export const doorOperations: AnyOperation[] = [
  operation({
    name: 'chat.introduce',
    summary: 'Answer the pre-chat questions',
    who: ['visitor'],
    scope: 'write',
    async run(ctx, answers) {
      await introduce(ctx, answers);
      return { done: true };
    },
  }),
  operation({
    name: 'chat.mail_transcript',
    summary: 'Send oneself the chat by email',
    who: ['visitor'],
    scope: 'write',
    records: { session_id: 'session' },
    run: (ctx, { session_id, email }) => mailTranscript(ctx, session_id, email),
  }),
];
