import type { InputOf, RuleOutcome } from '@foyer/protocol';
import { queryOptions } from '@tanstack/react-query';
import { call, callPages } from '../../../api.ts';
import { callQuery, pagesQuery } from '../../../call-queries.ts';

/** Every rule, in the order in which they run. */
export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: async ({ signal }) => ({
    items: (await callPages('rules.list', { order: 'asc' }, signal)).items,
  }),
});

/** When each rule ran last, and its failures; nothing reports new runs. */
export const ruleUsesQuery = queryOptions({
  ...callQuery(['rules', 'uses'], 'rules.uses', {}),
  staleTime: 0,
});

export interface RunFilter {
  rule?: number | undefined;
  outcome?: RuleOutcome | undefined;
}

/** What rules did, newest first; nothing reports new runs. */
export const runsQuery = ({ rule, outcome }: RunFilter) =>
  pagesQuery(
    ['rules', 'runs', rule, outcome],
    'rule_runs.list',
    () => ({ ...(rule && { rule_id: rule }), ...(outcome && { outcome }) }),
    { staleTime: 0 },
  );

type Tried = Pick<InputOf<'rules.try'>, 'trigger' | 'conditions'>;

/** On which of the newest records a rule would act; asked each time. */
export const trialQuery = (input: Tried) =>
  queryOptions({
    queryKey: ['rules', 'trial', input],
    queryFn: ({ signal }) => call('rules.try', input, signal),
    staleTime: 0,
  });
