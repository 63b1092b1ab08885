import { type AnyOperation, adminsWrite, agentsRead, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createAction, deleteAction, listActions, testAction, updateAction } from './actions.ts';
import { listCalls } from './call-log.ts';

/** The team's operations on the bot's actions. */
export const actionOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'actions',
    record: 'action',
    who: ['agent'],
    writers: ['admin'],
    audit: 'action',
    list: { summary: 'List the bot’s actions', run: listActions },
    create: { summary: 'Create an action', run: createAction },
    update: { summary: 'Update an action', run: updateAction },
    delete: { summary: 'Delete an action', run: (ctx, { id }) => deleteAction(ctx, id) },
  }),
  operation({
    ...adminsWrite,
    name: 'actions.test',
    summary: 'Make the call of an action’s step with sample values, for real',
    records: { id: 'action' },
    run: testAction,
  }),
  operation({
    ...agentsRead,
    name: 'action_calls.list',
    summary: 'List calls of actions, newest first',
    records: { action_id: 'action', session_id: 'session' },
    run: listCalls,
  }),
];
