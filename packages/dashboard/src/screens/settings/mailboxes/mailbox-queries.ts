import { queryOptions } from '@tanstack/react-query';
import { callPages } from '../../../api.ts';
import { callQuery } from '../../../call-queries.ts';

/** Nothing reports that a connection begins to work or to fail. */
const LOOK_MS = 10_000;

export const mailboxesQuery = queryOptions({
  queryKey: ['mailboxes'],
  queryFn: ({ signal }) => callPages('mailboxes.list', {}, signal),
  refetchInterval: LOOK_MS,
});

/** The providers that mailboxes can sign in with. */
export const providersQuery = callQuery(['mailbox-providers'], 'mailboxes.providers', {});
