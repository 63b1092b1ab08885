import { callQuery } from '../../../call-queries.ts';

/** The site's identity providers, and the redirect URI that they must know. */
export const identityProvidersQuery = callQuery(['identity-providers'], 'identity_providers.list', {});
