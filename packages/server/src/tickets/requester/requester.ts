import { randomBytes } from 'node:crypto';
import type { ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { tellVisitor } from '../../visitors/identity/upsert.ts';
import { scopeOf, type VisitorRow } from '../../visitors/rows.ts';

type Requester = ParsedInputOf<'tickets.create'>['requester'];

/** A random key: only an anonymous visitor can later be merged into a known person. */
export const newKey = (): string => `anon_${randomBytes(16).toString('base64url')}`;

/** An arbitrary number that separates these locks from others. */
const EMAIL_LOCK = 7_305;

/** Until the end of the transaction, so that concurrent calls create one visitor. */
export async function lockEmail({ db, site }: SiteContext, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${EMAIL_LOCK}, hashtext(${`${site.id}:${email.toLowerCase()}`}))`.execute(
    db,
  );
}

/**
 * The most recently seen visitor with this address. Locks the address, so that concurrent tickets create one
 * visitor.
 */
async function keyOfEmail(tx: SiteContext, email: string): Promise<string | undefined> {
  const { db, site } = tx;
  const address = email.toLowerCase();
  await lockEmail(tx, address);
  const { rows } = await sql<Pick<VisitorRow, 'key' | 'name'>>`
    select key, name from visitors
    where site_id = ${site.id} and lower(email) = ${address} and erased_at is null
    order by last_seen_at desc, id desc limit 1`.execute(db);
  return rows[0]?.key ?? undefined;
}

/**
 * The requester as a visitor: found by key, else by address, else created. The given data is merged as by
 * `visitors`, but an address alone doesn't overwrite a known name.
 * @returns the visitor's id, and this ticket's address if it isn't the visitor's own
 */
export async function resolveRequester(
  tx: SiteContext,
  { key, email, name }: Requester,
): Promise<{ id: number; ownEmail: string | null }> {
  const scope = scopeOf(tx);
  const trust = tx.actor.kind === 'visitor' ? ('told' as const) : ('vouched' as const);
  const told = { ...(email ? { email } : {}), ...(name ? { name } : {}), trust };
  const answer = (visitor: VisitorRow) => ({
    id: visitor.id,
    ownEmail: email && visitor.email !== email ? email : null,
  });
  if (key) return answer(await tellVisitor(scope, { key, ...told }));
  const known = email ? await keyOfEmail(tx, email) : undefined;
  const visitor = await tellVisitor(scope, known ? { key: known } : { key: newKey(), ...told });
  if (known && name && visitor.name === null) await tellVisitor(scope, { key: known, name, trust });
  return answer(visitor);
}
