import { callQuery } from '../../../call-queries.ts';

export const tokensQuery = callQuery(['api_tokens'], 'api_tokens.list', {});
