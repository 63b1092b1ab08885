import { queryOptions } from '@tanstack/react-query';
import { callPages } from '../../../api.ts';

/** Every SLA policy, in the order in which they are tried. */
export const slaPoliciesQuery = queryOptions({
  queryKey: ['sla-policies'],
  queryFn: async ({ signal }) => ({ items: (await callPages('sla_policies.list', {}, signal)).items }),
});
