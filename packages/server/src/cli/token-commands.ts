import type { ApiToken, OutputOf } from '@foyer/protocol';
import type { Command } from 'commander';
import { answers, table } from './answer.ts';
import {
  addressesOption,
  expiryOption,
  idValue,
  scopesOption,
  scopesValue,
  siteOption,
} from './option-values.ts';
import { withWorkplace } from './workplace.ts';

type WithRaw = OutputOf<'api_tokens.create'>;

interface OneToken {
  site: number;
  id: number;
}

interface Limits {
  expires?: string | null;
  from?: string[];
}

/** The limits as the API takes them; `--from ''` removes that limit. */
const limitsOf = ({ expires, from }: Limits) => ({
  ...(expires !== undefined && { expires_utc: expires }),
  ...(from && { allowed_addresses: from.filter((address) => address !== '') }),
});

const ofOne = (command: Command): Command =>
  command
    .addOption(siteOption())
    .requiredOption('--id <id>', 'id of the token (see foyer token list)', idValue);

/** The raw token is on a separate line, easy to copy, because it is shown only once. */
const shownOnce = (token: WithRaw): string =>
  `Token ${token.id} "${token.name}" (${token.scopes.join(', ')}). It won't be shown again:\n\n${token.token}\n`;

function stateOf({ revoked_utc, expires_utc }: ApiToken): string {
  if (revoked_utc !== null) return `revoked ${revoked_utc}`;
  if (expires_utc === null) return 'active';
  return `${Date.parse(expires_utc) <= Date.now() ? 'expired' : 'active until'} ${expires_utc}`;
}

const rowOf = (token: ApiToken): string[] => [
  String(token.id),
  token.name,
  token.scopes.join(','),
  `…${token.hint}`,
  String(token.request_count),
  [token.last_used_utc ?? 'never', token.last_used_address].filter(Boolean).join(' '),
  token.allowed_addresses.join(',') || 'any',
  stateOf(token),
];

function addUpdate(token: Command): void {
  answers<OneToken & { name?: string; scopes?: string } & Limits>(
    ofOne(token.command('update').description('change an API token immediately; its secret stays'))
      .option('--name <name>', 'name of the token')
      .option('--scopes <scopes>', 'permissions of the token', scopesValue)
      .addOption(expiryOption())
      .addOption(addressesOption()),
    ({ site, id, name, scopes, ...limits }) =>
      withWorkplace(async ({ run }) => {
        const input = { id, ...(name && { name }), ...(scopes && { scopes }), ...limitsOf(limits) };
        const data = (await run(site, 'api_tokens.update', input)) as ApiToken;
        return { data, words: `Token ${data.id} "${data.name}" updated: ${stateOf(data)}.` };
      }),
  );
}

/** Adds `token create`, `list`, `update`, `revoke` and `rotate`; only `create` and `rotate` print the raw token. */
export function addTokenCommands(foyer: Command): void {
  const token = foyer.command('token').description('create, list, update, revoke and rotate API tokens');

  answers<{ site: number; name: string; scopes: string } & Limits>(
    token
      .command('create')
      .description('create an API token; the raw token is printed once')
      .addOption(siteOption())
      .requiredOption('--name <name>', 'name of the token')
      .addOption(scopesOption())
      .addOption(expiryOption())
      .addOption(addressesOption()),
    ({ site, name, scopes, ...limits }) =>
      withWorkplace(async ({ run }) => {
        const input = { name, scopes, ...limitsOf(limits) };
        const data = (await run(site, 'api_tokens.create', input)) as WithRaw;
        return { data, words: shownOnce(data) };
      }),
  );

  answers<{ site: number }>(
    token.command('list').description('list the API tokens of a site').addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const tokens = (await run(site, 'api_tokens.list', {})) as ApiToken[];
        const head = ['ID', 'NAME', 'SCOPES', 'ENDS IN', 'REQUESTS', 'LAST USED', 'FROM', 'STATUS'];
        const words = tokens.length > 0 ? table(head, tokens.map(rowOf)) : 'No API tokens yet.';
        return { data: { tokens }, words };
      }),
  );

  addUpdate(token);

  answers<OneToken>(
    ofOne(token.command('revoke').description('revoke an API token immediately')),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'api_tokens.revoke', { id })) as ApiToken;
        return { data, words: `Token ${data.id} "${data.name}" revoked.` };
      }),
  );

  answers<OneToken>(
    ofOne(
      token
        .command('rotate')
        .description('replace the secret of an API token; the old one stops working immediately'),
    ),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'api_tokens.rotate', { id })) as WithRaw;
        return { data, words: shownOnce(data) };
      }),
  );
}
