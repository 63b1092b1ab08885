import { callQuery } from '../../../call-queries.ts';

export const mailQuery = callQuery(['mail'], 'mail.get', {});
