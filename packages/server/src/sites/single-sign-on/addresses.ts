/** Where sign-ins with identity providers begin and end. */
export const SINGLE_SIGN_ON_PATH = '/app/sso';

/** Each site has a redirect URI of its own, so that a provider of one can't pass on a code of another's. */
export const redirectUri = (baseUrl: string, siteId: number): string =>
  `${baseUrl}${SINGLE_SIGN_ON_PATH}/${siteId}/callback`;

/** The browser opens it, and is redirected to the provider. */
export const startUrl = (baseUrl: string, siteId: number, providerId: number): string =>
  `${baseUrl}${SINGLE_SIGN_ON_PATH}/${siteId}/start?provider=${providerId}`;

/** The address to which providers post SAML responses. */
export const samlAcsUrl = (baseUrl: string, siteId: number): string =>
  `${baseUrl}${SINGLE_SIGN_ON_PATH}/${siteId}/saml`;

/** The site's name for SAML, and the address of its metadata. */
export const samlEntityId = (baseUrl: string, siteId: number): string =>
  `${baseUrl}${SINGLE_SIGN_ON_PATH}/${siteId}/metadata`;

const HOME = '/app/inbox';
/** Any origin: only paths are compared. */
const HERE = 'https://desk.invalid';

/** The page of the desk to continue on: never another server, and no page of the sign-in itself. */
export function safeNext(wanted: unknown): string {
  const url = typeof wanted === 'string' ? URL.parse(wanted, HERE) : null;
  if (url?.origin !== HERE || !url.pathname.startsWith('/app/')) return HOME;
  if (/^\/app\/(?:sso|auth|api|sign-in)(?:\/|$)/.test(url.pathname)) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address at which identity providers create and remove agents. The token identifies the provider. */
export const SCIM_PATH = '/scim/v2';

/** The tenant URL or SCIM base URL in an identity provider's settings. */
export const scimUrl = (baseUrl: string): string => `${baseUrl}${SCIM_PATH}`;
