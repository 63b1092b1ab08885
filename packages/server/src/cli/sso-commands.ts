import type { IdentityProvider, InputOf, OutputOf } from '@foyer/protocol';
import type { Command } from 'commander';
import { StartError } from '../base/start-error.ts';
import { answers, table } from './answer.ts';
import { readText } from './input-text.ts';
import { idValue, siteOption } from './option-values.ts';
import { type Workplace, withWorkplace } from './workplace.ts';

const SECRET_INPUT_MAX = 4_096;

const METADATA_INPUT_MAX = 1_000_000;

interface CreateOptions {
  site: number;
  name: string;
  issuer?: string;
  clientId?: string;
  clientSecret?: string;
  samlMetadata?: string;
  domain: string[];
  createAgents?: true;
}

/** Reads the secret from stdin for `-`: other users of the machine can see command lines. */
const secretOf = async (option: string): Promise<string> =>
  option === '-' ? (await readText('-', SECRET_INPUT_MAX)).trim() : option;

type Registration = Pick<
  InputOf<'identity_providers.create'>,
  'kind' | 'issuer' | 'client_id' | 'client_secret' | 'saml'
>;

/** The provider's description, by OpenID Connect or its SAML metadata. @throws StartError */
async function registrationOf(
  { run }: Pick<Workplace, 'run'>,
  options: CreateOptions,
): Promise<Registration> {
  const { site, issuer, clientId, clientSecret, samlMetadata } = options;
  if (samlMetadata === undefined) {
    if (issuer === undefined || clientId === undefined || clientSecret === undefined)
      throw new StartError('give --issuer, --client-id and --client-secret, or --saml-metadata');
    return { issuer, client_id: clientId, client_secret: await secretOf(clientSecret) };
  }
  if (issuer !== undefined || clientId !== undefined || clientSecret !== undefined)
    throw new StartError('--saml-metadata has no --issuer, --client-id or --client-secret beside it');
  const from = /^https?:\/\//.test(samlMetadata)
    ? { url: samlMetadata }
    : { xml: await readText(samlMetadata, METADATA_INPUT_MAX) };
  const { problem, found } = (await run(
    site,
    'identity_providers.read_metadata',
    from,
  )) as OutputOf<'identity_providers.read_metadata'>;
  if (!found) throw new StartError(problem ?? 'the metadata has nothing of a provider');
  const { issuer: entity, ...saml } = found;
  return { kind: 'saml', issuer: entity, saml };
}

const stateOf = ({ enabled, refuses_passwords }: IdentityProvider): string => {
  if (!enabled) return 'disabled';
  return refuses_passwords ? 'enabled, passwords refused' : 'enabled';
};

const rowOf = (provider: IdentityProvider): string[] => [
  String(provider.id),
  provider.name,
  provider.issuer,
  provider.domains.join(', '),
  stateOf(provider),
];

/** Adds `sso`: identity providers, and the recovery when one fails. */
export function addSingleSignOnCommands(foyer: Command): void {
  const sso = foyer.command('sso').description('connect identity providers, and let people in without them');
  addList(sso);
  addCreate(sso);
  addTest(sso);
  addAllowPasswords(sso);
}

function addList(sso: Command): void {
  answers<{ site: number }>(
    sso.command('list').description('list the identity providers of a site').addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'identity_providers.list', {})) as OutputOf<'identity_providers.list'>;
        const words = table(['id', 'name', 'issuer', 'domains', 'state'], data.providers.map(rowOf));
        return {
          data,
          words: `${words}\nRedirect URI: ${data.redirect_url}\nSAML: ACS URL ${data.saml_acs_url}, entity ID and metadata ${data.saml_entity_id}`,
        };
      }),
  );
}

function addCreate(sso: Command): void {
  answers<CreateOptions>(
    sso
      .command('create')
      .description('connect an identity provider by OpenID Connect, or by SAML with its metadata')
      .addOption(siteOption())
      .requiredOption('--name <name>', 'name on the button of the sign-in page')
      .option('--issuer <url>', 'issuer, as in its discovery document')
      .option('--client-id <id>', 'client ID that it has given Foyer')
      .option('--client-secret <secret>', 'client secret; - reads stdin')
      .option('--saml-metadata <source>', 'SAML: URL or file of its metadata; - reads stdin')
      .requiredOption('--domain <domain...>', 'email domains that can sign in')
      .option('--create-agents', 'create agents on their first sign-in'),
    (options) =>
      withWorkplace(async ({ run }) => {
        const { site, name, domain, createAgents = false } = options;
        const registration = await registrationOf({ run }, options);
        const input = { ...registration, name, domains: domain, creates_agents: createAgents };
        const data = (await run(site, 'identity_providers.create', input)) as IdentityProvider;
        return {
          data,
          words: `Identity provider ${data.id} ${data.name} created.\nSign-in link: ${data.sign_in_url}`,
        };
      }),
  );
}

function addTest(sso: Command): void {
  answers<{ site: number; id: number }>(
    sso
      .command('test')
      .description('check the connection to an identity provider')
      .addOption(siteOption())
      .requiredOption('--id <id>', 'id of the provider (see foyer sso list)', idValue),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'identity_providers.test', {
          id,
        })) as OutputOf<'identity_providers.test'>;
        return { data, words: data.problem ?? 'The provider works.', failed: data.problem !== null };
      }),
  );
}

function addAllowPasswords(sso: Command): void {
  answers<{ site: number }>(
    sso
      .command('allow-passwords')
      .description('accept passwords again at a site whose identity providers refuse them')
      .addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const { providers } = (await run(
          site,
          'identity_providers.list',
          {},
        )) as OutputOf<'identity_providers.list'>;
        const refusing = providers.filter(({ refuses_passwords }) => refuses_passwords);
        for (const { id } of refusing)
          await run(site, 'identity_providers.update', { id, refuses_passwords: false });
        const names = refusing.map(({ name }) => name);
        return {
          data: { changed: names },
          words:
            names.length > 0
              ? `Passwords are accepted again, beside ${names.join(', ')}. Without a password, use foyer user reset-password.`
              : 'Passwords were accepted already.',
        };
      }),
  );
}
