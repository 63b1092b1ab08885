import type { AnyOperation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from './policies.ts';

/** The team's SLA policies: everybody reads them, admins and tokens change them. */
export const slaOperations: AnyOperation[] = resourceOperations({
  name: 'sla_policies',
  record: 'sla_policy',
  who: ['token', 'agent'],
  writers: ['token', 'admin'],
  audit: 'sla_policy',
  list: {
    summary: 'List SLA policies in their order, or read one by id',
    records: { id: 'sla_policy' },
    tool: 'List the site’s SLA policies in their order, with conditions, targets in minutes by priority, and hours. The first policy that fits a ticket applies.',
    run: listPolicies,
  },
  create: {
    summary: 'Create an SLA policy',
    tool: 'Create an SLA policy: targets for the first response, further responses and the resolution, in minutes by priority, for the tickets that fit `conditions` (fields of the inbox’s filter). Without `conditions` it fits everything.',
    run: createPolicy,
  },
  update: {
    summary: 'Change an SLA policy',
    tool: 'Change an SLA policy. `targets` and `conditions` replace what it has. Due times of everything that isn’t solved are computed again in the background.',
    run: updatePolicy,
  },
  delete: {
    summary: 'Delete an SLA policy',
    tool: 'Delete an SLA policy by its id from list_sla_policies. The next policy that fits applies instead.',
    run: (ctx, { id }) => deletePolicy(ctx, id),
  },
});
