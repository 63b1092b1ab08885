import type { IdentityProvider, InputOf, OutputOf } from '@foyer/protocol';
import type { Command } from 'commander';
import { answers, table } from './answer.ts';
import { readText } from './input-text.ts';
import { idValue, siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

const SECRET_INPUT_MAX = 4_096;

interface CreateOptions {
  site: number;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  domain: string[];
  createAgents?: true;
}

/** Reads the secret from stdin for `-`: other users of the machine can see command lines. */
const secretOf = async (option: string): Promise<string> =>
  option === '-' ? (await readText('-', SECRET_INPUT_MAX)).trim() : option;

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

/** Adds `sso`: identity providers, and the way back in when one fails. */
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
        return { data, words: `${words}\nRedirect URI: ${data.redirect_url}` };
      }),
  );
}

function addCreate(sso: Command): void {
  answers<CreateOptions>(
    sso
      .command('create')
      .description('connect an identity provider by OpenID Connect')
      .addOption(siteOption())
      .requiredOption('--name <name>', 'name on the button of the sign-in page')
      .requiredOption('--issuer <url>', 'issuer, as in its discovery document')
      .requiredOption('--client-id <id>', 'client ID that it has given Foyer')
      .requiredOption('--client-secret <secret>', 'client secret; - reads stdin')
      .requiredOption('--domain <domain...>', 'email domains that can sign in')
      .option('--create-agents', 'create agents on their first sign-in'),
    async ({ site, name, issuer, clientId, clientSecret, domain, createAgents = false }) => {
      const input: InputOf<'identity_providers.create'> = {
        name,
        issuer,
        client_id: clientId,
        client_secret: await secretOf(clientSecret),
        domains: domain,
        creates_agents: createAgents,
      };
      return withWorkplace(async ({ run }) => {
        const data = (await run(site, 'identity_providers.create', input)) as IdentityProvider;
        return {
          data,
          words: `Identity provider ${data.id} ${data.name} created.\nSign-in link: ${data.sign_in_url}`,
        };
      });
    },
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
