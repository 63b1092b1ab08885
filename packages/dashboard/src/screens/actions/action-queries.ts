import type { ActionCallStatus } from '@foyer/protocol';
import { callQuery, pagesQuery } from '../../call-queries.ts';

export const actionsQuery = callQuery(['actions'], 'actions.list', {});

/** What of the log is shown. */
export interface CallFilter {
  action?: number;
  status?: ActionCallStatus;
}

/** Calls of actions, by pages. */
export const callsQuery = ({ action, status }: CallFilter) =>
  pagesQuery(['action_calls', action ?? 'all', status ?? 'all'], 'action_calls.list', () => ({
    ...(action ? { action_id: action } : {}),
    ...(status ? { status } : {}),
  }));
