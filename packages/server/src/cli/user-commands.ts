import type { Role } from '@foyer/protocol';
import type { Command } from 'commander';
import { notFound } from '../base/errors.ts';
import { addAgent, listAgents } from '../sites/agents/agents.ts';
import { findAccount } from '../sites/sign-in/accounts.ts';
import { createResetLink } from '../sites/sign-in/password-resets.ts';
import { answers } from './answer.ts';
import { readText } from './input-text.ts';
import { roleOption, siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

const PASSWORD_INPUT_MAX = 4_096;

/** Reads the password from stdin for `-`: other users of the machine can see command lines. */
const passwordOf = async (option: string): Promise<string> =>
  option === '-' ? (await readText('-', PASSWORD_INPUT_MAX)).replace(/\r?\n$/, '') : option;

/** Adds `user create`, for an existing account with its password only, and the resets of password and second factor. */
export function addUserCommands(foyer: Command): void {
  const user = foyer.command('user').description('create agents and reset their sign-in');
  addCreate(user);
  addResetTwoFactor(user);
  addResetPassword(user);
}

function addCreate(user: Command): void {
  answers<{ site: number; email: string; name: string; password: string; role: Role }>(
    user
      .command('create')
      .description('create an agent; for an existing account, the password must match')
      .addOption(siteOption())
      .requiredOption('--email <email>', 'email to sign in with')
      .requiredOption('--name <name>', 'name that visitors see')
      .requiredOption('--password <password>', 'at least 10 characters; - reads stdin')
      .addOption(roleOption()),
    async ({ site, ...input }) => {
      const password = await passwordOf(input.password);
      return withWorkplace(async ({ siteContext }) => {
        const data = await addAgent(await siteContext(site), { ...input, password });
        return {
          data,
          words: `${data.name} <${data.email}> is now ${data.role === 'admin' ? 'an admin' : 'an agent'} of site ${site} (id ${data.id}).`,
        };
      });
    },
  );
}

function addResetTwoFactor(user: Command): void {
  answers<{ site: number; email: string }>(
    user
      .command('reset-two-factor')
      .description('turn off two-factor sign-in for an agent who has lost their device')
      .addOption(siteOption())
      .requiredOption('--email <email>', 'email to sign in with'),
    ({ site, email }) =>
      withWorkplace(async ({ siteContext, run }) => {
        const ctx = await siteContext(site);
        const address = email.trim().toLowerCase();
        const agent = (await listAgents(ctx)).find((candidate) => candidate.email === address);
        if (!agent) throw notFound('agent with this email');
        await run(site, 'agents.reset_two_factor', { id: agent.id });
        return {
          data: { ...agent, two_factor: false },
          words: `${agent.name} <${agent.email}> is signed out and can sign in with the password alone.`,
        };
      }),
  );
}

function addResetPassword(user: Command): void {
  answers(
    user
      .command('reset-password')
      .description('print a link that lets a person choose a new password')
      .argument('<email>', 'what the person signs in with'),
    (_options, email) =>
      withWorkplace(async ({ database, baseUrl }) => {
        const address = (email ?? '').trim().toLowerCase();
        const account = await findAccount(database.db, address);
        if (!account) throw notFound('account with this email address');
        const now = new Date();
        const { userId } = account;
        const { url, expiresAt } = await database.db
          .transaction()
          .execute((tx) => createResetLink(tx, { userId, baseUrl, now }));
        return {
          data: { email: address, url, expires_utc: expiresAt.toISOString() },
          words: `${url}\nThe link works once and expires in one hour. Earlier links of ${address} have ended.`,
        };
      }),
  );
}
