import type { SegmentRule } from '@foyer/protocol';
import { sql } from 'kysely';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { Db } from '../../db/database.ts';
import { attributesReadBy, type Need, needsOf } from './rules.ts';

export interface CompiledSegment {
  readonly id: number;
  readonly name: string;
  readonly rule: SegmentRule;
  /** The rule has been applied to all visitors: from now on entering and leaving is reported. */
  readonly ready: boolean;
  readonly attributes: ReadonlySet<string>;
  readonly needs: readonly Need[];
}

/** What changed about a visitor; `everything` also for a new one. */
export type Touched =
  | 'everything'
  | { attributes?: ReadonlySet<string>; events?: ReadonlySet<string>; seen?: boolean };

/** A site's rules at one version. */
export interface SiteRules {
  readonly version: string | null;
  readonly segments: readonly CompiledSegment[];
  /** The segments that another event with this name may change. An event also counts as activity. */
  onEvent(name: string): readonly CompiledSegment[];
}

interface StoredRule {
  id: number;
  name: string;
  rule: SegmentRule;
  ready: boolean;
}

const compile = (stored: StoredRule): CompiledSegment => ({
  ...stored,
  attributes: attributesReadBy(stored.rule),
  needs: needsOf(stored.rule),
});

function siteRules(version: string | null, stored: readonly StoredRule[]): SiteRules {
  const segments = stored.map(compile);
  const seen = segments.filter(({ attributes }) => attributes.has('last_seen_utc'));
  const byEvent = new Map<string, CompiledSegment[]>();
  for (const name of new Set(segments.flatMap(({ needs }) => needs.map(({ event }) => event)))) {
    byEvent.set(name, affected(segments, { events: new Set([name]), seen: true }));
  }
  return { version, segments, onEvent: (name) => byEvent.get(name) ?? seen };
}

/** The segments that depend on what changed. */
export function affected(segments: readonly CompiledSegment[], touched: Touched): CompiledSegment[] {
  if (touched === 'everything') return [...segments];
  const { attributes, events, seen } = touched;
  return segments.filter(
    (segment) =>
      (seen && segment.attributes.has('last_seen_utc')) ||
      (attributes && [...segment.attributes].some((name) => attributes.has(name))) ||
      (events && segment.needs.some(({ event }) => events.has(event))),
  );
}

/** Rules kept in memory for all sites; a compiled one takes about 1 kB. */
const RULES_MAX = 100_000;
/**
 * Cached without expiry: code that uses rules compares their version with the site's, in the statement that reads
 * the visitors. A version is never reused, so not even a rolled back change can leave wrong rules here.
 */
const known = createBoundedCache<SiteRules>({
  max: RULES_MAX,
  weightOf: ({ segments }) => 1 + segments.length,
});

/** The rules as far as this process knows them. They may be outdated. */
export async function knownRules(db: Db, siteId: number): Promise<SiteRules> {
  return known.get(String(siteId)) ?? (await readRules(db, siteId));
}

/** The current rules. */
export async function readRules(db: Db, siteId: number): Promise<SiteRules> {
  const { rows } = await sql<{ version: string | null; segments: StoredRule[] | null }>`
    select s.segments_version as version, (
      select json_agg(json_build_object(
        'id', g.id, 'name', g.name, 'rule', g.rule, 'ready', g.filled_at is not null
      ) order by g.id)
      from segments g where g.site_id = s.id and g.deleted_at is null
    ) as segments
    from sites s where s.id = ${siteId}`.execute(db);
  const [row] = rows;
  const rules = siteRules(row?.version ?? null, row?.segments ?? []);
  known.set(String(siteId), rules);
  return rules;
}
