import { randomBytes } from 'node:crypto';
import type { ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { tellVisitor } from '../../visitors/identity/upsert.ts';
import { scopeOf, type VisitorRow } from '../../visitors/rows.ts';

type Requester = ParsedInputOf<'tickets.create'>['requester'];

/** A random key: only an anonymous visitor can later be merged into the person they turn out to be. */
export const newKey = (): string => `anon_${randomBytes(16).toString('base64url')}`;

/** Any number: it keeps these locks apart from others. */
const EMAIL_LOCK = 7_305;

/** To the end of the transaction, so that two at once make one visitor. */
export async function lockEmail({ db, site }: SiteContext, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${EMAIL_LOCK}, hashtext(${`${site.id}:${email.toLowerCase()}`}))`.execute(
    db,
  );
}

/** The visitor of an address that was seen last. Locks the address, so that two tickets at once make one visitor. */
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
 * Who asks, as a visitor: the one of the key; else the one of the address; else a new one. What is told of it is
 * brought in as `visitors` would, but an address alone changes no name that is known.
 * @returns its id, and the address of this ticket where it isn't the visitor's own.
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
