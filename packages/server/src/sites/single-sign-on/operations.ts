import type { AnyOperation } from '../../core/operation.ts';
import { operation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { createProvider, deleteProvider, listProviders, updateProvider } from './providers.ts';
import { rotateSamlKey } from './saml-keys.ts';
import { readProviderMetadata } from './saml-metadata.ts';
import { testProvider } from './test-provider.ts';

/** For people and the command line only: with a token, a program could let anybody in. */
const who = ['admin', 'operator'] as const;

/** The identity providers that a site's team signs in with. */
export const singleSignOnOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'identity_providers',
    record: 'identity_provider',
    who,
    audit: 'identity_provider',
    list: { summary: 'List the identity providers that the team can sign in with', run: listProviders },
    create: { summary: 'Add an identity provider; its secret is never returned', run: createProvider },
    update: { summary: 'Change an identity provider, or disable it', run: updateProvider },
    delete: {
      summary: 'Delete an identity provider and end the sessions that it opened',
      run: (ctx, { id }) => deleteProvider(ctx, id),
    },
  }),
  operation({
    name: 'identity_providers.test',
    summary: 'Check an identity provider up to the point where a person signs in, and name the exact problem',
    who,
    scope: 'write',
    records: { id: 'identity_provider' },
    run: testProvider,
  }),
  operation({
    name: 'identity_providers.read_metadata',
    summary: 'Read the entity ID, sign-in URL and certificates of a SAML provider from its metadata',
    who,
    scope: 'write',
    run: readProviderMetadata,
  }),
  operation({
    name: 'identity_providers.rotate_saml_key',
    summary: 'Create the key that SAML providers encrypt assertions to; the one before it still decrypts',
    who,
    scope: 'write',
    audit: 'site',
    run: rotateSamlKey,
  }),
];
