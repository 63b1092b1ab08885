import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../test/authenticator.ts';
import { cookieOf, openAuthDoor } from '../../test/fixtures/auth.ts';
import { newAgent, openSiteFixture, PASSWORD } from '../../test/fixtures/sites.ts';
import { type TestDatabase, testDatabase } from '../../test/harness.ts';
import { Keyring } from '../core/keyring.ts';
import { fixedAddress } from '../core/public-address.ts';
import { createTokenDeriver, createVault, headerOf } from '../core/vault.ts';
import { openDatabase } from '../db/database.ts';
import { listOwnTables, quoted } from '../db/table-shapes.ts';
import { createSignedLinks } from '../files/signed-links.ts';
import { issueGuestToken, readGuestToken } from '../visitors/identity/guest-token.ts';
import { acceptSecret, adoptSecret, firstDerived } from './installation.ts';
import { countSealed, endTrust, rotateSecret } from './rotate.ts';
import { listSealed, openSealed, sealAgain } from './sealed-columns.ts';

const newSecret = (): string => randomBytes(32).toString('base64url');
const OLD = newSecret();
const NEW = newSecret();

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** Columns of bytes without encrypted values. A new column is listed here, or ends in `_cipher`. */
const NOT_SEALED = new Set([
  'api_tokens.token_hash',
  'article_images.content',
  'article_votes.voter',
  'attachments.content',
  'auth_passkeys.public_key',
  'idempotency_keys.request_hash',
  'identity_providers.scim_token_hash',
  'import_parts.content',
  'invitations.token_hash',
  'knowledge_files.content',
  'mailboxes.http_token_hash',
  'passage_vectors.vector',
  'pictures.content',
  'portal_answers.answer_hash',
  'portal_links.token_hash',
  'received_mails.content_hash',
  'received_mails.raw',
  'setup_links.token_hash',
  'site_archive_parts.content',
  'visitor_devices.token_hash',
  'visitor_pages.guest_token',
  'webhook_events.body',
]);

test('every column of bytes is either rotated, or known to contain nothing encrypted', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and data_type = 'bytea' order by 1`,
  );
  const tables = new Set((await listOwnTables(client)).map(({ name }) => name));
  const sealed = new Set(
    (await listSealed(client)).flatMap(({ name, columns }) =>
      columns.map((column) => `${name}.${column.name}`),
    ),
  );
  const open = rows.filter(({ name }) => tables.has(name.split('.')[0] ?? '') && !sealed.has(name));
  expect(new Set(open.map(({ name }) => name))).toEqual(NOT_SEALED);
});

/** Drops constraints that require other columns beside encrypted values. */
async function loosen(): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement
     from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('f', 'c')
     union all
     select format('alter table %s alter column %I drop not null', a.attrelid::regclass, a.attname)
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attnotnull
       and a.attidentity = '' and not exists (select from pg_index i
         where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey))`,
  );
  for (const { statement } of rows) await client.query(statement);
}

const valueFor = (type: string, row: number): string =>
  /int/.test(type) ? String(row) : type.startsWith('timestamp') ? new Date(row).toISOString() : `key ${row}`;

const ROWS = 3;
/** More than two batches. */
const MANY = 450;

/** Rows in every table with encrypted columns, more than a batch, encrypted as by a process with these secrets. */
async function fillAll(keys: Keyring): Promise<void> {
  for (const { name, key, columns } of await listSealed(client)) {
    if (name === 'installation') continue;
    const values: unknown[] = [];
    const tuples: string[] = [];
    for (let row = 1; row <= (name === 'webhook_subscriptions' ? MANY : ROWS); row++) {
      const first = values.length + 1;
      values.push(...key.map(({ type }) => valueFor(type, row)));
      for (const column of columns) {
        const text = `${name}.${column.name} ${row}`;
        const sealed =
          column.by === 'vault' ? createVault(keys).seal(text) : await sealAgain(keys, column, text);
        values.push(typeof sealed === 'string' ? sealed.replace(/^\$ba\$\d+\$/, '') : sealed);
      }
      tuples.push(
        `(${values
          .slice(first - 1)
          .map((_, at) => `$${first + at}`)
          .join(', ')})`,
      );
    }
    const names = [...key, ...columns].map((one) => quoted(one.name));
    await client.query(
      `insert into ${quoted(name)} (${names.join(', ')}) overriding system value values ${tuples.join(', ')}`,
      values,
    );
  }
}

/** The values of every encrypted column, as a process with these secrets reads them. */
async function readAll(keys: Keyring): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const { name, key, columns } of await listSealed(client)) {
    const { rows } = await client.query(`select * from ${quoted(name)}`);
    for (const row of rows)
      for (const column of columns)
        if (row[column.name] !== null)
          found.set(
            `${name}.${column.name} ${key.map((one) => row[one.name]).join(' ')}`,
            (await openSealed(keys, column, row[column.name]))?.text,
          );
  }
  return found;
}

test('a rotation encrypts every column of the schema again, continues where it was killed, and ends the need for the old secret', async () => {
  await loosen();
  const { db, close } = openDatabase(database.url);
  try {
    const old = new Keyring([OLD]);
    expect(await adoptSecret(db, old)).toBe(true);
    await fillAll(old);
    const before = await readAll(old);
    expect(before.size).toBeGreaterThan(2 * MANY + 12 * ROWS);
    const { pushSeed, redisName } = await firstDerived(db, old);

    // One secret in two layouts must be distinguished from values that nobody here can read.
    const lost = createVault('a secret that nobody has any more').seal('lost');
    await client.query(`update webhook_subscriptions set previous_secret_cipher = $1 where id = 300`, [lost]);
    const both = () => new Keyring([NEW, OLD]);
    const keys = both();
    expect(await adoptSecret(db, keys)).toBe(true);
    expect(keys.current.secret).toBe(OLD);
    expect(await countSealed(client, keys)).toMatchObject({
      byKey: { [keys.newest.id]: 0, [keys.current.id]: before.size - 1 },
      unreadable: 1,
    });

    // Killed after a few batches: the connection is gone in the middle of one.
    const dying = new pg.Client({ connectionString: database.url });
    dying.on('error', () => undefined);
    await dying.connect();
    const query = dying.query.bind(dying);
    const tables = (await listSealed(client)).length;
    let commits = 0;
    const killed = Object.assign(dying, {
      query: (text: string, ...rest: []) => {
        if (text === 'commit' && ++commits === tables + 2) dying.connection.stream.destroy();
        return query(text, ...rest);
      },
    });
    await expect(rotateSecret(killed as never, both())).rejects.toThrow();
    expect(commits).toBe(tables + 2);
    const half = both();
    await adoptSecret(db, half);
    expect(half.current.secret).toBe(NEW);
    const { byKey } = await countSealed(client, half);
    expect(byKey[half.known[1]?.id ?? '']).toBeGreaterThan(100);
    expect(byKey[half.current.id]).toBeGreaterThan(100);

    expect(await rotateSecret(client, both())).toMatchObject({ key: half.current.id, unreadable: 1 });
    const alone = new Keyring([NEW]);
    expect(await adoptSecret(db, alone)).toBe(true);
    const after = await readAll(alone);
    after.delete('installation.push_seed_cipher 1');
    before.set('webhook_subscriptions.previous_secret_cipher 300 300', undefined);
    expect(after).toEqual(before);
    expect(await countSealed(client, alone)).toEqual({
      byKey: { [alone.current.id]: before.size },
      unreadable: 1,
    });
    // Pushes and Redis keep the values that were derived from the first secret.
    expect(await firstDerived(db, alone)).toEqual({ pushSeed, redisName });
    // A second run has nothing left to do, and the old secret alone is refused.
    expect(await rotateSecret(client, alone)).toMatchObject({ sealed: 0 });
    expect(await adoptSecret(db, new Keyring([OLD]))).toBe(false);

    // After a leak, the key for pushes is another one too.
    await endTrust(client, alone);
    expect((await firstDerived(db, alone)).pushSeed).not.toEqual(pushSeed);
    // A lost secret can still be replaced.
    const fresh = new Keyring([newSecret()]);
    await acceptSecret(db, fresh);
    expect(await adoptSecret(db, fresh)).toBe(true);
    expect(fresh.isRotated).toBe(true);
  } finally {
    await close();
  }
});

/** As a process that saw a rotation from OLD to NEW. */
function rotated(): Keyring {
  const keys = new Keyring([NEW, OLD]);
  keys.adopt(`rotated ${keys.newest.check}`);
  return keys;
}

test('values signed and encrypted before a rotation stay valid as long as the old secret is known', () => {
  const old = new Keyring([OLD]);
  const [before, during, after] = [old, rotated(), new Keyring([NEW])];
  const now = new Date();
  const links = (secret: Keyring) =>
    createSignedLinks({ address: fixedAddress('https://a.example'), secret });
  const link = new URL(links(before).urlOf(1, 2, now));
  const given = {
    siteId: 1,
    id: 2,
    expires: Number(link.searchParams.get('expires')),
    signature: link.searchParams.get('signature') ?? '',
  };
  expect([before, during, after].map((keys) => links(keys).isGood(given, now))).toEqual([true, true, false]);
  const { token } = issueGuestToken(createTokenDeriver(before), 1, 'ada');
  const read = (keys: Keyring) => readGuestToken(createTokenDeriver(keys), 1, token)?.key;
  expect([during, after].map(read)).toEqual(['ada', undefined]);
  expect(createTokenDeriver(during)('x')).toBe(createTokenDeriver(after)('x'));

  const sealed = createVault(before).seal('secret');
  expect(createVault(during).open(sealed)).toBe('secret');
  expect(() => createVault(after).open(sealed)).toThrow('no known secret');
  const again = createVault(during).seal('secret');
  expect(again.subarray(0, 5)).toEqual(headerOf(during.current));
  expect(() => createVault(before).open(again)).toThrow('no known secret');
  for (const broken of [Buffer.alloc(0), again.subarray(0, 5), again.subarray(0, -1), Buffer.alloc(64)])
    expect(() => createVault(during).open(broken)).toThrow('no known secret');
});

test('a running process accepts sign-ins of both secrets, and its sessions outlive the old one', async () => {
  const fixture = await openSiteFixture();
  try {
    const { email } = await newAgent((await fixture.newSite()).operator);
    const keys = new Keyring([NEW, OLD]);
    keys.adopt(new Keyring([OLD]).current.check);
    const door = openAuthDoor(fixture.db, { secret: keys });
    const enter = (at = door) => at.post('/app/auth/sign-in/email', { email, password: PASSWORD });
    const cookie = cookieOf(await enter());
    const begun = await door.post('/app/auth/two-factor/enable', { password: PASSWORD }, { cookie });
    const uri: string = begun.json().totpURI;
    const signedIn = cookieOf(
      await door.post('/app/auth/two-factor/verify-totp', { code: codeOf(uri, -1) }, { cookie }),
    );

    keys.adopt(`rotated ${keys.newest.check}`);
    const session = await door.auth.sessionOf({ cookie: signedIn }, { prolong: true });
    const renewed = session?.setCookies[0]?.split(';')[0] ?? '';
    expect(renewed).toMatch(/^foyer\.session_token=/);
    // The second factor was encrypted with the old secret, and not yet again.
    const asked = cookieOf(await enter());
    const code = { code: codeOf(uri, 0) };
    expect((await door.post('/app/auth/two-factor/verify-totp', code, { cookie: asked })).statusCode).toBe(
      200,
    );

    const alone = new Keyring([NEW]);
    alone.adopt(`rotated ${alone.newest.check}`);
    const later = openAuthDoor(fixture.db, { secret: alone });
    expect(await later.auth.sessionOf({ cookie: renewed })).toMatchObject({ email });
    expect(await later.auth.sessionOf({ cookie: signedIn })).toBeUndefined();
    // A signature by an unknown secret changes nothing.
    const foreign = openAuthDoor(fixture.db, { secret: newSecret(), log: pino({ level: 'silent' }) });
    expect(await foreign.auth.sessionOf({ cookie: renewed })).toBeUndefined();
  } finally {
    await fixture.close();
  }
});
