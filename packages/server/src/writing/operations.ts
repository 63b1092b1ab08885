import { type AnyOperation, operation } from '../core/operation.ts';
import { getDrafts, listDrafts, saveDraft } from './drafts.ts';

const inConversation = { session_id: 'session' } as const;

/** What an agent does before something is sent. */
export const writingOperations: AnyOperation[] = [
  operation({
    name: 'drafts.list',
    summary: 'List the chats and tickets in which one has drafts',
    who: ['agent'],
    scope: 'read',
    run: listDrafts,
  }),
  operation({
    name: 'drafts.get',
    summary: 'Read one’s own drafts in a chat or a ticket',
    who: ['agent'],
    scope: 'read',
    records: inConversation,
    run: getDrafts,
  }),
  operation({
    name: 'drafts.save',
    summary: 'Keep what one has written and not sent',
    who: ['agent'],
    scope: 'write',
    records: inConversation,
    run: saveDraft,
  }),
];
