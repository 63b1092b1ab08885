import type { ApiToken, OutputOf } from '@foyer/protocol';
import type { Command } from 'commander';
import { answers, table } from './answer.ts';
import { idValue, scopesOption, siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

type WithRaw = OutputOf<'api_tokens.create'>;

interface OneToken {
  site: number;
  id: number;
}

const ofOne = (command: Command): Command =>
  command
    .addOption(siteOption())
    .requiredOption('--id <id>', 'id of the token (see foyer token list)', idValue);

/** The raw token is on a separate line, easy to copy, because it is shown only once. */
const shownOnce = (token: WithRaw): string =>
  `Token ${token.id} "${token.name}" (${token.scopes.join(', ')}). It won't be shown again:\n\n${token.token}\n`;

const rowOf = (token: ApiToken): string[] => [
  String(token.id),
  token.name,
  token.scopes.join(','),
  `…${token.hint}`,
  String(token.request_count),
  token.last_used_utc ?? 'never',
  token.revoked_utc === null ? 'active' : `revoked ${token.revoked_utc}`,
];

/** Adds `token create`, `list`, `revoke` and `rotate`; only `create` and `rotate` print the raw token. */
export function addTokenCommands(foyer: Command): void {
  const token = foyer.command('token').description('create, list, revoke and rotate API tokens');

  answers<{ site: number; name: string; scopes: string }>(
    token
      .command('create')
      .description('create an API token; the raw token is printed once')
      .addOption(siteOption())
      .requiredOption('--name <name>', 'name of the token')
      .addOption(scopesOption()),
    ({ site, ...input }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'api_tokens.create', input)) as WithRaw;
        return { data, words: shownOnce(data) };
      }),
  );

  answers<{ site: number }>(
    token.command('list').description('list the API tokens of a site').addOption(siteOption()),
    ({ site }) =>
      withWorkplace(async ({ run }) => {
        const tokens = (await run(site, 'api_tokens.list', {})) as ApiToken[];
        const head = ['ID', 'NAME', 'SCOPES', 'ENDS IN', 'REQUESTS', 'LAST USED', 'STATUS'];
        const words = tokens.length > 0 ? table(head, tokens.map(rowOf)) : 'No API tokens yet.';
        return { data: { tokens }, words };
      }),
  );

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
