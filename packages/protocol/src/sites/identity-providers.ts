import { z } from 'zod';
import {
  GROUP_NAME_MAX,
  GROUP_ROLES_MAX,
  NAME_MAX,
  PROVIDER_DOMAINS_MAX,
  PROVIDER_SECRET_MAX,
  URL_MAX,
} from '../values/bounds.ts';
import { deleted, id, text, utc } from '../values.ts';
import { role } from './sites.ts';

const DOMAIN_MAX = 253;
const CERTIFICATES_LENGTH_MAX = 20_000;
/** That of Microsoft Entra ID has about 10,000 characters. */
const METADATA_MAX = 500_000;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const isDomain = (value: string): boolean => {
  const labels = value.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label));
};

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(DOMAIN_MAX)
  .refine(isDomain, { error: 'must be a domain such as example.com', params: { reason: 'host' } });

const groupRole = z.object({ group: text(1, GROUP_NAME_MAX), role });
export type GroupRole = z.infer<typeof groupRole>;

/** Where a site's team signs in. Its client secret is never returned. */
export const identityProvider = z.object({
  id,
  kind: z.enum(['oidc', 'saml']),
  name: z.string().describe('On the button of the sign-in page'),
  issuer: z.string(),
  client_id: z.string().describe('Empty for SAML'),
  saml: z
    .object({
      sign_in_url: z.string(),
      certificates: z.string(),
      expires_utc: utc.describe('When the last of the certificates expires'),
      encrypted_only: z.boolean().describe('Whether assertions that aren’t encrypted are refused'),
    })
    .nullable()
    .describe('Null for OpenID Connect'),
  domains: z.array(z.string()).describe('Only addresses of these domains can sign in'),
  enabled: z.boolean(),
  creates_agents: z.boolean().describe('Whether somebody new becomes an agent by signing in'),
  default_role: role,
  groups_claim: z
    .string()
    .nullable()
    .describe('The claim with a person’s groups; null: roles are given in Foyer'),
  group_roles: z.array(groupRole),
  refuses_passwords: z
    .boolean()
    .describe('Whether people of these domains can’t use a password at this site'),
  asks_code: z.boolean().describe('Whether Foyer’s own two-factor authentication applies as well'),
  sign_in_url: z.string().describe('Starts the sign-in'),
  scim: z
    .object({
      base_url: z.string(),
      token_hint: z.string().describe('The last characters of the token'),
      token_created_utc: utc,
      used_utc: utc.nullable().describe('The last request, to the minute'),
    })
    .nullable()
    .describe('Null: the provider has no token to create and remove agents with'),
  created_utc: utc,
  updated_utc: utc,
});
export type IdentityProvider = z.infer<typeof identityProvider>;

/** A header's value: a secret with other characters could not be sent. */
const clientSecret = z
  .string()
  .trim()
  .min(1)
  .max(PROVIDER_SECRET_MAX)
  .regex(/^[\x21-\x7e]+$/, 'must not contain spaces or special characters');

const saml = z.strictObject({
  sign_in_url: text(1, URL_MAX).describe('Where the browser is sent, by HTTP-Redirect'),
  certificates: text(1, CERTIFICATES_LENGTH_MAX).describe(
    'X.509, in PEM; several while the provider changes its key',
  ),
  encrypted_only: z
    .boolean()
    .optional()
    .describe('Refuses assertions that aren’t encrypted; kept if omitted'),
});

const fields = {
  name: text(1, NAME_MAX),
  issuer: text(1, URL_MAX).describe('As in the provider’s discovery document'),
  client_id: text(1, URL_MAX),
  domains: z.array(domain).min(1).max(PROVIDER_DOMAINS_MAX),
};

const rules = {
  enabled: z.boolean(),
  creates_agents: z.boolean(),
  default_role: role,
  groups_claim: text(1, NAME_MAX).nullable(),
  group_roles: z.array(groupRole).max(GROUP_ROLES_MAX),
  refuses_passwords: z.boolean(),
  asks_code: z.boolean(),
};

/** The key of this site that SAML providers encrypt assertions to. */
export const samlEncryption = z.object({
  certificate: z.string().describe('X.509, in PEM'),
  expires_utc: utc,
});
export type SamlEncryption = z.infer<typeof samlEncryption>;

export const identityProviderContract = {
  'identity_providers.list': {
    input: z.strictObject({}),
    output: z.object({
      providers: z.array(identityProvider),
      redirect_url: z.string().describe('What the provider must be given as redirect URI'),
      saml_acs_url: z.string().describe('Where a SAML provider posts its answer'),
      saml_entity_id: z.string().describe('The site’s name for SAML providers, and its metadata'),
      saml_encryption: samlEncryption.nullable().describe('Null: providers can’t encrypt assertions'),
    }),
  },
  'identity_providers.create': {
    input: z.strictObject({
      ...fields,
      kind: z.enum(['oidc', 'saml']).default('oidc'),
      client_id: fields.client_id.optional().describe('Required for OpenID Connect'),
      client_secret: clientSecret.optional().describe('Required for OpenID Connect'),
      saml: saml.optional().describe('Required for SAML'),
      enabled: rules.enabled.default(true),
      creates_agents: rules.creates_agents.default(false),
      default_role: rules.default_role.default('agent'),
      groups_claim: rules.groups_claim.default(null),
      group_roles: rules.group_roles.default([]),
      refuses_passwords: rules.refuses_passwords.default(false),
      asks_code: rules.asks_code.default(false),
    }),
    output: identityProvider,
  },
  'identity_providers.update': {
    input: z.strictObject({
      id,
      ...z.object({ ...fields, ...rules }).partial().shape,
      saml: saml.optional(),
      client_secret: clientSecret.optional().describe('Kept if omitted, for the same issuer and client'),
    }),
    output: identityProvider,
  },
  'identity_providers.delete': { input: z.strictObject({ id }), output: deleted },
  'identity_providers.rotate_scim_token': {
    input: z.strictObject({ id }),
    output: z.object({ id, base_url: z.string(), token: z.string().describe('Never returned again') }),
  },
  /** The key before it decrypts too, until the next one. */
  'identity_providers.rotate_saml_key': { input: z.strictObject({}), output: samlEncryption },
  'identity_providers.remove_scim_token': {
    input: z.strictObject({ id }),
    output: z.object({ id, removed: z.literal(true) }),
  },
  /** Reads the discovery document and the keys, and asks whether the client is known; stores nothing. */
  'identity_providers.test': {
    input: z.strictObject({
      id: id.optional().describe('What is omitted is that of this provider'),
      issuer: fields.issuer.optional(),
      client_id: fields.client_id.optional(),
      client_secret: clientSecret.optional(),
    }),
    output: z.object({ problem: z.string().nullable().describe('Null if it works') }),
  },
  /** Reads the metadata of a SAML provider; stores nothing. */
  'identity_providers.read_metadata': {
    input: z
      .strictObject({
        url: text(1, URL_MAX).optional().describe('Where the provider publishes it'),
        xml: text(1, METADATA_MAX).optional().describe('Its text instead'),
      })
      .refine(({ url, xml }) => (url === undefined) !== (xml === undefined), 'either url or xml is required'),
    output: z.object({
      problem: z.string().nullable().describe('Null if it was read'),
      found: z.object({ issuer: z.string(), sign_in_url: z.string(), certificates: z.string() }).nullable(),
    }),
  },
} as const;
