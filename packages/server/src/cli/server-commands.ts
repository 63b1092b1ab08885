import type { Command } from 'commander';
import { readDemoConfig } from '../config.ts';
import { answers } from './answer.ts';
import { withWorkplace } from './workplace.ts';

/** Adds `start`, `demo` and `migrate`. `start` and `demo` keep the process running until a signal ends it. */
export function addServerCommands(foyer: Command): void {
  foyer
    .command('start')
    .description('run the server until it is told to stop')
    .action(async () => {
      // Loaded on demand: the other commands need no HTTP.
      const { main } = await import('../main.ts');
      await main();
    });

  foyer
    .command('demo')
    .description(
      'run the server with a demo site, sample knowledge and a few chats; in the folder "demo" inside FOYER_DATA_DIR, apart from your own data',
    )
    .action(async () => {
      const { main } = await import('../main.ts');
      const { prepareDemo } = await import('../demo/site.ts');
      await main(() => {
        const config = readDemoConfig();
        return { config, prepare: (app, secret) => prepareDemo(app, { config, secret }) };
      });
    });

  answers(foyer.command('migrate').description('bring the database to this version'), () =>
    withWorkplace(async ({ migrated }) => ({
      data: { applied: migrated },
      words: migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database is up to date.',
    })),
  );
}
