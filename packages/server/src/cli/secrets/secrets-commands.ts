import type { Command } from 'commander';
import type pg from 'pg';
import { AppError } from '../../base/errors.ts';
import { StartError } from '../../base/start-error.ts';
import type { Config } from '../../config.ts';
import { Keyring, keyIdOf } from '../../core/keyring.ts';
import { readAdopted } from '../../secrets/installation.ts';
import { countSealed, endTrust, rotateSecret } from '../../secrets/rotate.ts';
import { findSecrets, isSecretStored, newServerSecret, writeSecrets } from '../../server-secret.ts';
import { type Answer, answers } from '../answer.ts';
import { connect } from '../database-door.ts';
import { withWorkplace } from '../workplace.ts';

const NEW_HELP = `
If Foyer keeps its secret in the data folder, the new one is added there. Otherwise it is printed: set it as
FOYER_SECRET, and the present one as FOYER_SECRET_OLD. Then restart all processes and run "foyer secrets rotate".`;

const ROTATE_HELP = `
Servers may run, if they know both secrets. Works in small batches; a run that was stopped goes on when it is started
again. See docs/operations/secrets.md.`;

interface Place {
  config: Config;
  client: pg.Client;
  keys: Keyring;
}

/** Works on a connection of its own, without the pool's time limits. @throws AppError 409 without a secret, or with another installation's */
const withSecrets = (work: (place: Place) => Promise<Answer>): Promise<Answer> =>
  withWorkplace(async ({ config, database }) => {
    const secrets = await findSecrets(config);
    if (secrets === undefined)
      throw new AppError('conflict', 'There is no secret. Set FOYER_SECRET, or start Foyer once.');
    const keys = new Keyring(secrets);
    if (!(await readAdopted(database.db, keys)))
      throw new StartError(
        'FOYER_SECRET is not the one that this database works with. Set it, with the others as FOYER_SECRET_OLD.',
      );
    const client = await connect(database.url);
    return work({ config, client, keys }).finally(() => client.end());
  });

const addNew = (): Promise<Answer> =>
  withSecrets(async ({ config, keys }) => {
    if (keys.current.id !== keys.newest.id)
      throw new AppError(
        'conflict',
        `There is a new secret already, ${keys.newest.id}. Run "foyer secrets rotate".`,
      );
    const secret = newServerSecret();
    const id = keyIdOf(secret);
    if (isSecretStored(config)) {
      await writeSecrets(config.dataDir, [secret, ...keys.known.map((key) => key.secret)]);
      const words = `Added the secret ${id}. Restart all processes, then run "foyer secrets rotate".`;
      return { data: { key: id, is_stored: true }, words };
    }
    const next = 'Set it as FOYER_SECRET and the present one as FOYER_SECRET_OLD, restart all processes,';
    const words = `A new secret, ${id}. It isn't stored anywhere:\n\n${secret}\n\n${next} then run "foyer secrets rotate".`;
    return { data: { key: id, is_stored: false, secret }, words };
  });

const rotate = (isLeaked: boolean): Promise<Answer> =>
  withSecrets(async ({ client, keys }) => {
    if (keys.known.length === 1 && !keys.isRotated)
      throw new AppError('conflict', 'There is only one secret. Run "foyer secrets new" first.');
    const { key, sealed, unreadable } = await rotateSecret(client, keys);
    if (isLeaked) await endTrust(client, keys);
    const lost = unreadable > 0 ? ` ${unreadable} can't be read with any known secret, and stay.` : '';
    const out = isLeaked ? ' Everybody is signed out.' : '';
    return {
      data: { key, sealed, unreadable, is_everybody_signed_out: isLeaked },
      words: `${key} is the secret of the installation. ${sealed} stored secrets were encrypted again.${lost}${out} Check with "foyer secrets check".`,
    };
  });

async function lookAt({ client, keys }: Place) {
  const { byKey, unreadable } = await countSealed(client, keys);
  const { current, newest } = keys;
  const older = keys.known.slice(1).map(({ id }) => id);
  const needed = older.filter((id) => (byKey[id] ?? 0) > 0);
  const isRotating = current.id !== newest.id;
  return { current: current.id, newest: newest.id, older, needed, unreadable, byKey, isRotating };
}

const check = (): Promise<Answer> =>
  withSecrets(async (place) => {
    const { current, newest, older, needed, unreadable, byKey, isRotating } = await lookAt(place);
    const lines = Object.entries(byKey).map(
      ([id, count]) => `${id}  ${count} stored secrets${id === current ? ', in use' : ''}`,
    );
    if (unreadable > 0)
      lines.push(`unreadable  ${unreadable}: encrypted with a secret that isn't known here`);
    const isDone = needed.length === 0 && !isRotating;
    const verdict = !isDone
      ? 'The older secrets are still needed. Run "foyer secrets rotate".'
      : older.length > 0
        ? 'Nothing needs the older secrets. Remove them ("foyer secrets forget"), and restart all processes.'
        : 'Everything is encrypted with the secret in use.';
    return {
      data: { current, newest, older, needed, sealed: byKey, unreadable, ok: isDone && unreadable === 0 },
      words: [...lines, '', verdict].join('\n'),
      failed: !isDone || unreadable > 0,
    };
  });

const forget = (): Promise<Answer> =>
  withSecrets(async (place) => {
    const { current, older, needed, isRotating } = await lookAt(place);
    if (isRotating || needed.length > 0)
      throw new AppError('conflict', 'The older secrets are still needed. Run "foyer secrets rotate".');
    const { config, keys } = place;
    if (!isSecretStored(config))
      return {
        data: { current, forgotten: [] },
        words: 'Nothing needs the older secrets. Remove them from your settings, and restart all processes.',
      };
    await writeSecrets(config.dataDir, [keys.current.secret]);
    return {
      data: { current, forgotten: older },
      words: `Only ${current} is left. Restart all processes.`,
    };
  });

/** Adds `secrets new`, `rotate`, `check` and `forget`. */
export function addSecretsCommands(foyer: Command): void {
  const secrets = foyer
    .command('secrets')
    .description('rotate the secret that encrypts what is stored and signs links');
  answers(
    secrets.command('new').description('create a secret, to rotate to it').addHelpText('after', NEW_HELP),
    addNew,
  );
  answers<{ leaked?: true }>(
    secrets
      .command('rotate')
      .description('work with the newest secret, and encrypt everything with it')
      .option('--leaked', 'the old secret leaked: also sign everybody out, and end pushes')
      .addHelpText('after', ROTATE_HELP),
    ({ leaked }) => rotate(leaked === true),
  );
  answers(
    secrets
      .command('check')
      .description('say which secrets are still needed; exit code 1 if an older one is'),
    check,
  );
  answers(
    secrets
      .command('forget')
      .description('remove the older secrets from the data folder, if nothing needs them'),
    forget,
  );
}
