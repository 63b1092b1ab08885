import { type AnyOperation, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { getDrafts, listDrafts, saveDraft } from './drafts.ts';

const inConversation = { session_id: 'session' } as const;

/** What an agent writes before it is sent: drafts and mentions. */
export const writingOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'drafts.list',
    summary: 'List the chats and tickets with one’s own drafts',
    run: listDrafts,
  }),
  operation({
    ...agentsRead,
    name: 'drafts.get',
    summary: 'Read one’s own drafts in a chat or a ticket',
    records: inConversation,
    run: getDrafts,
  }),
  operation({
    ...agentsWrite,
    name: 'drafts.save',
    summary: 'Store one’s own draft',
    records: inConversation,
    run: saveDraft,
  }),
];
