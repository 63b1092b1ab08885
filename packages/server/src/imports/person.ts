import { sql } from 'kysely';
import { invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { lockEmails, newKey } from '../tickets/requester/requester.ts';
import { type Telling, tellVisitor } from '../visitors/identity/upsert.ts';
import { findVisitor, scopeOf, type VisitorRow } from '../visitors/rows.ts';

interface Person extends Omit<Telling, 'key' | 'trust' | 'isSeen' | 'previousKey'> {
  key?: string | undefined;
}

/**
 * The visitor with this verified address. A visitor who only typed it into a page may be anybody, so they don't
 * match and get none of the person's data.
 * @throws AppError 400 if several visitors have the address
 */
async function findByEmail(tx: SiteContext, address: string): Promise<VisitorRow | undefined> {
  await lockEmails(tx, [address]);
  const { rows } = await sql<VisitorRow>`
    select * from visitors
    where site_id = ${tx.site.id} and lower(email) = ${address.toLowerCase()} and 'email' = any (verified_fields)
      and erased_at is null limit 2`.execute(tx.db);
  if (rows.length > 1)
    throw invalidInput([
      { path: 'email', message: 'belongs to several visitors; give an id', reason: 'twice' },
    ]);
  return rows[0];
}

const isSaid = (visitor: VisitorRow, field: 'email' | 'name', value: string | null | undefined): boolean =>
  value == null || (visitor[field] === value && visitor.verified_fields.includes(field));

const isKnown = (visitor: VisitorRow, { email, name, attributes = {} }: Person): boolean =>
  isSaid(visitor, 'email', email) &&
  isSaid(visitor, 'name', name) &&
  Object.entries(attributes).every(
    ([attribute, value]) => JSON.stringify(visitor.attributes[attribute]) === JSON.stringify(value),
  );

const isSameAddress = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one != null && one.toLowerCase() === other?.toLowerCase();

/** Imports a person: matched by key, or by a verified address, or else created. */
export async function bringPerson(
  tx: SiteContext,
  { key, ...given }: Person,
): Promise<{ visitor: VisitorRow; outcome: 'created' | 'updated' | 'unchanged' }> {
  const known = key
    ? await findVisitor(tx.db, tx.site.id, key)
    : given.email
      ? await findByEmail(tx, given.email)
      : undefined;
  // Addresses that differ only in case are the same.
  const told = known && isSameAddress(known.email, given.email) ? { ...given, email: known.email } : given;
  if (known && isKnown(known, told)) return { visitor: known, outcome: 'unchanged' };
  const visitor = await tellVisitor(scopeOf(tx), {
    ...told,
    key: key ?? known?.key ?? newKey(),
    trust: 'vouched',
    isSeen: false,
  });
  return { visitor, outcome: known ? 'updated' : 'created' };
}
