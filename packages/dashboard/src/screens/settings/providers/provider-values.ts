import type { IdentityProvider, InputOf } from '@foyer/protocol';
import { linesOf, phrasesOf } from '../lines.ts';

/** The form of an identity provider. Lists are text, one entry per line. */
export interface ProviderValues {
  kind: IdentityProvider['kind'];
  name: string;
  issuer: string;
  samlUrl: string;
  samlCertificates: string;
  encryptedOnly: boolean;
  clientId: string;
  clientSecret: string;
  domains: string;
  createsAgents: boolean;
  defaultRole: IdentityProvider['default_role'];
  groupsClaim: string;
  adminGroups: string;
  agentGroups: string;
  refusesPasswords: boolean;
  asksCode: boolean;
}

/** The values of a new provider. */
export const NEW_PROVIDER: ProviderValues = {
  kind: 'oidc',
  name: '',
  issuer: '',
  samlUrl: '',
  samlCertificates: '',
  encryptedOnly: false,
  clientId: '',
  clientSecret: '',
  domains: '',
  createsAgents: false,
  defaultRole: 'agent',
  groupsClaim: '',
  adminGroups: '',
  agentGroups: '',
  refusesPasswords: false,
  asksCode: false,
};

/** The stored provider, without its secret, which never leaves the server. */
export function valuesOf(provider: IdentityProvider): ProviderValues {
  const groupsOf = (role: IdentityProvider['default_role']): string =>
    provider.group_roles
      .filter((one) => one.role === role)
      .map(({ group }) => group)
      .join('\n');
  return {
    kind: provider.kind,
    name: provider.name,
    issuer: provider.issuer,
    samlUrl: provider.saml?.sign_in_url ?? '',
    samlCertificates: provider.saml?.certificates ?? '',
    encryptedOnly: provider.saml?.encrypted_only ?? false,
    clientId: provider.client_id,
    clientSecret: '',
    domains: provider.domains.join('\n'),
    createsAgents: provider.creates_agents,
    defaultRole: provider.default_role,
    groupsClaim: provider.groups_claim ?? '',
    adminGroups: groupsOf('admin'),
    agentGroups: groupsOf('agent'),
    refusesPasswords: provider.refuses_passwords,
    asksCode: provider.asks_code,
  };
}

/** The fields that a test needs. An empty secret keeps the stored one. */
export const clientOf = ({ issuer, clientId, clientSecret }: ProviderValues) => ({
  issuer: issuer.trim(),
  client_id: clientId.trim(),
  ...(clientSecret.trim() === '' ? {} : { client_secret: clientSecret.trim() }),
});

const samlOf = ({ issuer, samlUrl, samlCertificates, encryptedOnly }: ProviderValues) => ({
  issuer: issuer.trim(),
  saml: {
    sign_in_url: samlUrl.trim(),
    certificates: samlCertificates.trim(),
    encrypted_only: encryptedOnly,
  },
});

/** The input of an operation. */
export function inputOf(values: ProviderValues): Omit<InputOf<'identity_providers.update'>, 'id'> {
  const groups = (text: string, role: IdentityProvider['default_role']) =>
    phrasesOf(text).map((group) => ({ group, role }));
  const claim = values.groupsClaim.trim();
  return {
    name: values.name.trim(),
    ...(values.kind === 'saml' ? samlOf(values) : clientOf(values)),
    domains: linesOf(values.domains),
    creates_agents: values.createsAgents,
    default_role: values.defaultRole,
    groups_claim: claim || null,
    group_roles: claim
      ? [...groups(values.adminGroups, 'admin'), ...groups(values.agentGroups, 'agent')]
      : [],
    refuses_passwords: values.refusesPasswords,
    asks_code: values.asksCode,
  };
}
