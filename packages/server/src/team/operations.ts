import { type AnyOperation, adminsWrite, operation } from '../core/operation.ts';
import { removeAgent } from './remove-agent.ts';

/** Changes of the team that affect the work of every domain. */
export const teamOperations: AnyOperation[] = [
  operation({
    ...adminsWrite,
    name: 'agents.remove',
    audit: 'agent',
    summary: 'Remove an agent from the site',
    records: { id: 'agent' },
    run: (ctx, { id }) => removeAgent(ctx, id),
  }),
];
