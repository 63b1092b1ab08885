import { Command, CommanderError } from 'commander';
import { readVersion } from '../base/version.ts';
import { describeFailure } from './answer.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addBotCommands } from './bot-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addKnowledgeCommands } from './knowledge-commands.ts';
import { addMailCommands } from './mail-commands.ts';
import { addMailboxCommands } from './mailbox-commands.ts';
import { addSecretsCommands } from './secrets/secrets-commands.ts';
import { addServerCommands } from './server-commands.ts';
import { addSiteCommands } from './site-commands.ts';
import { addSingleSignOnCommands } from './sso-commands.ts';
import { addTokenCommands } from './token-commands.ts';
import { addUserCommands } from './user-commands.ts';

const USAGE_ERROR = 2;

async function program(): Promise<Command> {
  const foyer = new Command('foyer')
    .description('Self-hosted live chat and customer support')
    .version(await readVersion())
    .showHelpAfterError('(add --help for usage)')
    // An option belongs to the command before it: `backup` and `backup list` both have --json.
    .enablePositionalOptions()
    .exitOverride();
  addServerCommands(foyer);
  addSiteCommands(foyer);
  addUserCommands(foyer);
  addTokenCommands(foyer);
  addSingleSignOnCommands(foyer);
  addMailboxCommands(foyer);
  addMailCommands(foyer);
  addKnowledgeCommands(foyer);
  addBotCommands(foyer);
  addBackupCommands(foyer);
  addSecretsCommands(foyer);
  addDoctorCommand(foyer);
  return foyer;
}

/**
 * Runs a command. Exit code 0 for success, 1 for an error, 2 for wrong usage.
 * @param args without the names of Node and of the program
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await (await program()).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the error. Help and version end with 0.
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
      return;
    }
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}
