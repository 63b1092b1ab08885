import { randomBytes } from 'node:crypto';
import type { ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import { addVisitors, tellVisitor } from '../../visitors/identity/upsert.ts';
import { scopeOf, type VisitorRow } from '../../visitors/rows.ts';

type Requester = ParsedInputOf<'tickets.create'>['requester'];

/** A random key: only an anonymous visitor can later be merged into a known person. */
export const newKey = (): string => `anon_${randomBytes(16).toString('base64url')}`;

/** An arbitrary number that separates these locks from others. */
const EMAIL_LOCK = 7_305;

/** Visitors by their address in lower case: the most recently seen one of each. */
export type Requesters = Map<string, Pick<VisitorRow, 'key' | 'name'>>;

/** Until the end of the transaction, so that concurrent calls create one visitor for each address. */
export async function lockEmails({ db, site }: SiteContext, emails: readonly string[]): Promise<void> {
  const names = emails.map((email) => `${site.id}:${email.toLowerCase()}`);
  // In one order, so that callers can't deadlock.
  await sql`${prepared}
    select pg_advisory_xact_lock(${EMAIL_LOCK}, hash) from (
      select distinct hashtext(name) as hash from unnest(${names}::text[]) name order by 1
    ) locks`.execute(db);
}

/** The visitors with these addresses. Locks the addresses, so that concurrent tickets create one visitor. */
export async function findRequesters(tx: SiteContext, emails: readonly string[]): Promise<Requesters> {
  if (emails.length === 0) return new Map();
  await lockEmails(tx, emails);
  const addresses = emails.map((email) => email.toLowerCase());
  const { rows } = await sql<Pick<VisitorRow, 'key' | 'name'> & { address: string }>`${prepared}
    select address, key, name from unnest(${addresses}::text[]) address cross join lateral (
      select key, name from visitors
      where site_id = ${tx.site.id} and lower(email) = address and erased_at is null
      order by last_seen_at desc, id desc limit 1
    ) newest`.execute(tx.db);
  return new Map(rows.map(({ address, key, name }) => [address, { key, name }]));
}

/** A requester as a visitor. */
interface Resolved {
  id: number;
  /** The ticket's address if it isn't the visitor's own. */
  ownEmail: string | null;
}

/**
 * The requester as a visitor: found by key, else by address, else created. The given data is merged as by
 * `visitors`, but an address alone doesn't overwrite a known name.
 * @param known requesters of these addresses, to which it adds the one that it creates
 */
export async function resolveRequester(
  tx: SiteContext,
  { key, email, name }: Requester,
  known?: Requesters,
): Promise<Resolved> {
  const scope = scopeOf(tx);
  const trust = tx.actor.kind === 'visitor' ? ('told' as const) : ('vouched' as const);
  const told = { ...(email ? { email } : {}), ...(name ? { name } : {}), trust };
  const answer = (visitor: VisitorRow) => ({
    id: visitor.id,
    ownEmail: email && visitor.email !== email ? email : null,
  });
  if (key) return answer(await tellVisitor(scope, { key, ...told }));
  const address = email?.toLowerCase() ?? '';
  const requesters = known ?? (await findRequesters(tx, email ? [address] : []));
  const knownKey = requesters.get(address)?.key ?? undefined;
  const visitor = await tellVisitor(
    scope,
    knownKey ? { key: knownKey } : { key: newKey(), isNewKey: true, ...told },
  );
  if (email) requesters.set(address, visitor);
  if (knownKey && name && visitor.name === null) await tellVisitor(scope, { key: knownKey, name, trust });
  return answer(visitor);
}

/**
 * The requesters of these addresses, which all differ: as `resolveRequester` finds them; new ones are created together.
 * @param known requesters of these addresses, to which it adds those that it creates
 */
export async function resolveRequesters(
  tx: SiteContext,
  people: readonly { email: string; name: string | null }[],
  known: Requesters,
): Promise<Resolved[]> {
  const keys = new Map<string, string>();
  for (const { email } of people) if (!known.has(email.toLowerCase())) keys.set(email, newKey());
  const made = await addVisitors(
    tx,
    people.flatMap(({ email, name }) => {
      const key = keys.get(email);
      return key === undefined ? [] : [{ key, email, ...(name ? { name } : {}), trust: 'told' as const }];
    }),
  );
  const resolved: Resolved[] = [];
  for (const { email, name } of people) {
    const visitor = made.get(keys.get(email) ?? '');
    if (visitor) known.set(email.toLowerCase(), visitor);
    resolved.push(
      visitor ? { id: visitor.id, ownEmail: null } : await resolveRequester(tx, { email, name }, known),
    );
  }
  return resolved;
}
