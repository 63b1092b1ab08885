import type { SlaKind, TicketPriority } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { type BoundedCache, createBoundedCache } from '../base/bounded-cache.ts';
import type { Services, SiteContext } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';
import { hoursFor, officeHoursOf, type SiteHours } from '../sites/teams/hours.ts';
import type { Applying } from './due-times.ts';

type Policy = Pick<
  Selectable<Tables['sla_policies']>,
  'id' | 'name' | 'applies_to' | 'conditions' | 'targets' | 'hours' | 'warn_minutes' | 'pauses'
>;

declare module '../core/context.ts' {
  interface Services {
    /** Whether the site has a policy for chats, from the cached site. If not, messages mark nothing. */
    readonly hasChatSlas: (siteId: number) => Promise<boolean>;
  }
}

/** A site's policies in their order, and the office hours by which they count. */
interface Standing {
  policies: readonly Policy[];
  hours: SiteHours;
}

const STANDINGS_MAX = 1_000;

/** Of each process, because tests have several in one. Versions never change, so nothing expires. */
const caches = new WeakMap<Services, BoundedCache<Standing>>();

function cacheOf({ services }: SiteContext): BoundedCache<Standing> {
  const known = caches.get(services);
  if (known) return known;
  const made = createBoundedCache<Standing>({ max: STANDINGS_MAX });
  caches.set(services, made);
  return made;
}

async function load({ db, site }: SiteContext): Promise<Standing> {
  const policies = await db
    .selectFrom('sla_policies')
    .select(['id', 'name', 'applies_to', 'conditions', 'targets', 'hours', 'warn_minutes', 'pauses'])
    .where('site_id', '=', site.id)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return { policies, hours: await officeHoursOf({ db, site }) };
}

/** @param version `sites.sla_version`, read in the caller's transaction */
async function standingOf(ctx: SiteContext, version: number): Promise<Standing> {
  const cache = cacheOf(ctx);
  const key = `${ctx.site.id}:${version}`;
  const known = cache.get(key);
  if (known) return known;
  const loaded = await load(ctx);
  cache.set(key, loaded, ctx.site.id);
  return loaded;
}

/** The record's values in a policy's conditions. */
export interface SlaSubject {
  kind: SlaKind;
  priority: TicketPriority;
  teamId: number | null;
  tags: readonly string[];
  visitorId: number;
}

async function segmentsOf(
  { db, site }: SiteContext,
  visitorId: number,
  policies: readonly Policy[],
): Promise<ReadonlySet<number>> {
  const asked = policies.flatMap(({ conditions }) => conditions.segment ?? []);
  if (asked.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select segment_id as id from segment_members
    where site_id = ${site.id} and visitor_id = ${visitorId} and segment_id = any (${asked}::bigint[])`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The inbox's filter for one record that is about to be written, as `ticketConditions` has it for lists. */
function fits(
  { priority, team_id, tag, segment }: Policy['conditions'],
  subject: SlaSubject,
  segments: ReadonlySet<number>,
): boolean {
  if (priority !== undefined && priority !== subject.priority) return false;
  if (team_id !== undefined && (team_id === 'none' ? null : team_id) !== subject.teamId) return false;
  if (tag !== undefined && !subject.tags.some((name) => name.toLowerCase() === tag.toLowerCase()))
    return false;
  return segment === undefined || segments.has(segment);
}

/**
 * The first matching policy; undefined for none. Costs a statement only if policies have segments.
 * @param version `sites.sla_version`, read in the caller's transaction
 */
export async function findPolicy(
  ctx: SiteContext,
  version: number,
  subject: SlaSubject,
): Promise<Applying | undefined> {
  if (version === 0) return undefined;
  const { policies, hours: all } = await standingOf(ctx, version);
  const segments = await segmentsOf(ctx, subject.visitorId, policies);
  const policy = policies.find(
    ({ applies_to, conditions }) => applies_to.includes(subject.kind) && fits(conditions, subject, segments),
  );
  if (!policy) return undefined;
  const hours = { team: hoursFor(all, subject.teamId), site: all.site, always: null }[policy.hours];
  return { policy, hours, priority: subject.priority };
}
