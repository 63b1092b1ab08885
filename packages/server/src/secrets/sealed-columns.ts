import type pg from 'pg';
import type { Keyring, SecretKey } from '../core/keyring.ts';
import { createVault, HEADER_BYTES, headerOf, openWith } from '../core/vault.ts';
import { listOwnTables, quoted } from '../db/table-shapes.ts';
import { envelopeOf, openSignInSecret, sealSignInSecret } from '../sites/sign-in/rotated-secrets.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** A column whose values are encrypted with the installation's secret. */
export interface SealedColumn {
  name: string;
  /** `vault`: by `Services.vault`; `sign_in`: by better-auth. */
  by: 'vault' | 'sign_in';
}

/** A table with such columns. */
export interface SealedTable {
  name: string;
  /** The primary key with its types. */
  key: { name: string; type: string }[];
  columns: SealedColumn[];
}

/** The suffix of encrypted columns. A test makes sure that no other column of bytes is forgotten. */
const ENDING = '_cipher';
/** Encrypted columns with other names. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, SealedColumn['by']>>>> = {
  idempotency_keys: { answer: 'vault' },
  auth_two_factors: { secret: 'sign_in', backup_codes: 'sign_in' },
};

/** All columns encrypted with the installation's secret, from the schema: new ones are found by their suffix. */
export async function listSealed(client: pg.ClientBase): Promise<SealedTable[]> {
  const tables = await listOwnTables(client);
  return tables.flatMap(({ name, columns, key }) => {
    const sealed = columns.flatMap((column): SealedColumn[] => {
      const by = OTHERS[name]?.[column] ?? (column.endsWith(ENDING) ? 'vault' : undefined);
      return by ? [{ name: column, by }] : [];
    });
    const site = columns.includes('site_id') ? [{ name: 'site_id', type: 'bigint' }] : [];
    return sealed.length > 0 ? [{ name, key: [...site, ...key], columns: sealed }] : [];
  });
}

/** SQL: whether a value isn't encrypted with this key under its id. */
const isOther = ({ name, by }: SealedColumn, key: SecretKey): string =>
  by === 'vault'
    ? `substring(${quoted(name)} from 1 for ${HEADER_BYTES}) <> '\\x${headerOf(key).toString('hex')}'::bytea`
    : `not starts_with(${quoted(name)}, '${envelopeOf(key)}')`;

/** A value of an encrypted column, as the driver reads it. */
type Sealed = Buffer | string;

/** Whether this key encrypted the value under its id, as `isOther` checks a column. */
export const isSealedBy = (key: SecretKey, { by }: SealedColumn, value: Sealed): boolean =>
  by === 'vault'
    ? (value as Buffer).subarray(0, HEADER_BYTES).equals(headerOf(key))
    : (value as string).startsWith(envelopeOf(key));

/** The next rows, in the order of the key, with at least one value that this key didn't encrypt. */
interface Batch {
  rows: { ctid: string; at: string[]; values: (Sealed | null)[] }[];
  /** The key of the last row; undefined at the end of the table. */
  last: string[] | undefined;
}

const BATCH = 200;

/** @param after the key of the last row of the batch before */
export async function nextBatch(
  client: Client,
  { name, key, columns }: SealedTable,
  current: SecretKey,
  { after, lock }: { after: readonly string[] | undefined; lock: boolean },
): Promise<Batch> {
  const keys = key.map((one) => quoted(one.name));
  const beyond = key.map(({ type }, at) => `$${at + 1}::${type}`).join(', ');
  const { rows } = await client.query<{ ctid: string; at: string[]; values: null } & Record<string, Sealed>>(
    `select ctid::text, array[${keys.map((one) => `${one}::text`).join(', ')}] as at,
       ${columns.map((column, at) => `${quoted(column.name)} as v${at}`).join(', ')}
     from ${quoted(name)}
     where (${columns.map((column) => isOther(column, current)).join(' or ')})
       ${after ? `and (${keys.join(', ')}) > (${beyond})` : ''}
     order by ${keys.join(', ')} limit ${BATCH} ${lock ? 'for update' : ''}`,
    after ? [...after] : [],
  );
  return {
    rows: rows.map((row) => ({
      ctid: row.ctid,
      at: row.at,
      values: columns.map((_, at) => row[`v${at}`] ?? null),
    })),
    last: rows.length < BATCH ? undefined : rows.at(-1)?.at,
  };
}

/** The value of a column, and its key; undefined if no known key decrypts it. */
export async function openSealed(
  keys: Keyring,
  { by }: SealedColumn,
  value: Sealed,
): Promise<{ key: SecretKey; text: string } | undefined> {
  return by === 'vault' ? openWith(keys, value as Buffer) : openSignInSecret(keys, value as string);
}

/** The value encrypted with the current secret, under its id. */
export const sealAgain = async (keys: Keyring, { by }: SealedColumn, text: string): Promise<Sealed> =>
  by === 'vault' ? createVault(keys).seal(text) : sealSignInSecret(keys, text);
