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
  command.addOption(siteOption()).requiredOption('--id <id>', 'the token (foyer token list)', idValue);

/** The raw token is on a separate line, easy to copy, because it is shown only once. */
const shownOnce = (token: WithRaw): string =>
  `Token ${token.id} "${token.name}" (${token.scopes.join(', ')}). It is shown only this once:\n\n${token.token}\n`;

const rowOf = (token: ApiToken): string[] => [
  String(token.id),
  token.name,
  token.scopes.join(','),
  `…${token.hint}`,
  String(token.request_count),
  token.last_used_utc ?? 'never',
  token.revoked_utc === null ? 'in use' : `revoked ${token.revoked_utc}`,
];

/** Adds `token create`, `list`, `revoke` and `rotate`; only `create` and `rotate` print the raw token. */
export function addTokenCommands(foyer: Command): void {
  const token = foyer.command('token').description('make, list, revoke and rotate API tokens');

  answers<{ site: number; name: string; scopes: string }>(
    token
      .command('create')
      .description('make an API token; the raw token is printed once')
      .addOption(siteOption())
      .requiredOption('--name <name>', 'what it is for')
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
        const head = ['ID', 'NAME', 'SCOPES', 'ENDS IN', 'REQUESTS', 'LAST USED', 'STATE'];
        const words = tokens.length > 0 ? table(head, tokens.map(rowOf)) : 'The site has no API token yet.';
        return { data: { tokens }, words };
      }),
  );

  answers<OneToken>(ofOne(token.command('revoke').description('end an API token at once')), ({ site, id }) =>
    withWorkplace(async ({ run }) => {
      const data = (await run(site, 'api_tokens.revoke', { id })) as ApiToken;
      return { data, words: `Token ${data.id} "${data.name}" is revoked.` };
    }),
  );

  answers<OneToken>(
    ofOne(token.command('rotate').description('give an API token a new secret; the old one ends at once')),
    ({ site, id }) =>
      withWorkplace(async ({ run }) => {
        const data = (await run(site, 'api_tokens.rotate', { id })) as WithRaw;
        return { data, words: shownOnce(data) };
      }),
  );
}
