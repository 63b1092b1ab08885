import type pg from 'pg';
import type { Config } from '../../config.ts';
import { Keyring } from '../../core/keyring.ts';
import { openWith } from '../../core/vault.ts';
import { findSecrets } from '../../server-secret.ts';
import { type Check, ok, warning, wrong } from './check.ts';

/**
 * Checks the secret. Otherwise a lost or changed one is noticed only when something encrypted is needed. Looks at the
 * newest webhook; `foyer secrets check` looks at everything.
 */
export async function checkSecret(client: pg.Client, config: Config): Promise<Check> {
  const secrets = await findSecrets(config);
  if (secrets === undefined)
    return warning('secret', "not found: set FOYER_SECRET or FOYER_DATA_DIR to the server's values");
  const keys = new Keyring(secrets);
  // By name, because migrations may still have to add the column.
  const { rows: kept } = await client.query<{ check: string | null }>(
    `select to_jsonb(i) ->> 'secret_check' as check from installation i`,
  );
  const known = kept[0]?.check;
  if (typeof known === 'string' && !keys.adopt(known))
    return wrong(
      'secret',
      'not the one that this database was set up with: set the same FOYER_SECRET for every process',
    );
  const { rows } = await client.query<{ sealed: Buffer }>(
    'select secret_cipher as sealed from webhook_subscriptions order by created_at desc limit 1',
  );
  const sealed = rows[0]?.sealed;
  if (sealed && !openWith(keys, sealed))
    return wrong(
      'secret',
      'can\'t decrypt the stored secrets: FOYER_SECRET or the file "secret" has changed',
    );
  if (keys.current.id !== keys.newest.id)
    return warning(
      'secret',
      `${keys.current.id} is in use, ${keys.newest.id} is newer: run "foyer secrets rotate"`,
    );
  if (keys.known.length > 1)
    return warning(
      'secret',
      `${keys.current.id} is in use, older ones are still known: run "foyer secrets check", then remove them`,
    );
  return ok('secret', sealed ? 'decrypts the stored secrets' : 'found; nothing is encrypted with it yet');
}
