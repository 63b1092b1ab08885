import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api.ts';

export const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => call('mail.get', {}, signal),
});
