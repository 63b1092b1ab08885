import { type AnyOperation, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { getDrafts, listDrafts, saveDraft } from './drafts.ts';

const inConversation = { session_id: 'session' } as const;

/** An agent's unsent writing: drafts and mentions. */
export const writingOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'drafts.list',
    summary: 'List the chats and tickets with your own drafts',
    run: listDrafts,
  }),
  operation({
    ...agentsRead,
    name: 'drafts.get',
    summary: 'Read your own drafts in a chat or a ticket',
    records: inConversation,
    run: getDrafts,
  }),
  operation({
    ...agentsWrite,
    name: 'drafts.save',
    summary: 'Store your own draft',
    records: inConversation,
    run: saveDraft,
  }),
];
