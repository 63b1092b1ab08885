import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

export const helpCentreQuery = queryOptions({
  queryKey: ['help-centre'],
  queryFn: ({ signal }) => call('help_centre.get', {}, signal),
});
