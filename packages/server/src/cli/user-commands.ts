import type { Role } from '@foyer/protocol';
import type { Command } from 'commander';
import { notFound } from '../base/errors.ts';
import { addAgent, listAgents } from '../sites/agents/agents.ts';
import { answers } from './answer.ts';
import { readText } from './input-text.ts';
import { roleOption, siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

const PASSWORD_INPUT_MAX = 4_096;

/** Reads the password from stdin for `-`: other users of the machine can see command lines. */
const passwordOf = async (option: string): Promise<string> =>
  option === '-' ? (await readText('-', PASSWORD_INPUT_MAX)).replace(/\r?\n$/, '') : option;

/** Adds `user create`, for an existing account with its password only, and `user reset-two-factor`. */
export function addUserCommands(foyer: Command): void {
  const user = foyer.command('user').description('make people agents of a site');

  answers<{ site: number; email: string; name: string; password: string; role: Role }>(
    user
      .command('create')
      .description('make a person an agent; who has an account already must have this password')
      .addOption(siteOption())
      .requiredOption('--email <email>', 'what the person signs in with')
      .requiredOption('--name <name>', 'as visitors see it')
      .requiredOption('--password <password>', 'at least 10 characters; - reads it from stdin')
      .addOption(roleOption()),
    async ({ site, ...input }) => {
      const password = await passwordOf(input.password);
      return withWorkplace(async ({ siteContext }) => {
        const data = await addAgent(await siteContext(site), { ...input, password });
        return { data, words: `${data.name} <${data.email}> is ${data.role} ${data.id} of site ${site}.` };
      });
    },
  );

  answers<{ site: number; email: string }>(
    user
      .command('reset-two-factor')
      .description('let a person who has lost their device sign in with the password alone')
      .addOption(siteOption())
      .requiredOption('--email <email>', 'what the person signs in with'),
    ({ site, email }) =>
      withWorkplace(async ({ siteContext, run }) => {
        const ctx = await siteContext(site);
        const address = email.trim().toLowerCase();
        const agent = (await listAgents(ctx)).find((candidate) => candidate.email === address);
        if (!agent) throw notFound('agent with this e-mail address');
        await run(site, 'agents.reset_two_factor', { id: agent.id });
        return {
          data: { ...agent, two_factor: false },
          words: `${agent.name} <${agent.email}> signs in with the password alone, and has to sign in again.`,
        };
      }),
  );
}
