import type { Command } from 'commander';
import { AppError } from '../base/errors.ts';
import { readDemoConfig } from '../config.ts';
import { Keyring } from '../core/keyring.ts';
import { openPublicAddress } from '../core/public-address.ts';
import { acceptSecret } from '../secrets/installation.ts';
import { findSecrets } from '../server-secret.ts';
import { newSetupLink } from '../sites/sign-in/setup.ts';
import { answers } from './answer.ts';
import { withWorkplace } from './workplace.ts';

/** Adds `start`, `demo`, `setup-link`, `accept-secret` and `migrate`. `start` and `demo` keep the process running until a signal ends it. */
export function addServerCommands(foyer: Command): void {
  foyer
    .command('start')
    .description('run the server')
    .action(async () => {
      // Loaded on demand: the other commands need no HTTP.
      const { main } = await import('../main.ts');
      await main();
    });

  foyer
    .command('demo')
    .description(
      'run the server with a demo site and sample data, in the folder "demo" inside FOYER_DATA_DIR, separate from your own data',
    )
    .action(async () => {
      const { main } = await import('../main.ts');
      const { prepareDemo } = await import('../demo/site.ts');
      await main(() => {
        const config = readDemoConfig();
        return { config, prepare: (app, secret) => prepareDemo(app, { config, secret }) };
      });
    });

  answers(
    foyer
      .command('setup-link')
      .description('print a new link for setting up the first site; an earlier link stops working'),
    () =>
      withWorkplace(async ({ config, database: { db } }) => {
        const url = await newSetupLink(db, (await openPublicAddress(db, config)).url);
        if (url === undefined)
          throw new AppError('conflict', 'Foyer is already set up. Sign in to the desk.');
        return { data: { url }, words: url };
      }),
  );

  answers(
    foyer
      .command('accept-secret')
      .description(
        'work with the current FOYER_SECRET from now on, if the old one is lost; stop all processes first. Webhooks, language models and actions need their secrets again, and agents sign in again',
      ),
    () =>
      withWorkplace(async ({ config, database: { db } }) => {
        const secrets = await findSecrets(config);
        if (secrets === undefined)
          throw new AppError('conflict', 'There is no secret. Set FOYER_SECRET, or start Foyer once.');
        await acceptSecret(db, new Keyring(secrets));
        return { data: { accepted: true }, words: 'This is the secret of the installation now.' };
      }),
  );

  answers(foyer.command('migrate').description('migrate the database to this version'), () =>
    withWorkplace(async ({ migrated }) => ({
      data: { applied: migrated },
      words: migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database is up to date.',
    })),
  );
}
