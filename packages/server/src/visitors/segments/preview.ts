import { type ParsedInputOf, PREVIEW_EXAMPLES_MAX, type SegmentPreview } from '@foyer/protocol';
import { sql } from 'kysely';
import { createSemaphore } from '../../base/semaphore.ts';
import type { SiteContext } from '../../core/context.ts';
import { countRows } from '../../db/row-count.ts';
import { judgeBatch, SETTLED } from './batches.ts';
import type { Settled } from './settle.ts';

/** Up to this many visitors, every one is evaluated. */
const WHOLE_MAX = 10_000;
/**
 * Of more, the sample is read from this many places, evenly spread: adjacent visitors are often similar, so few of them
 * suffice.
 */
const PLACES = 200;
const AT_A_PLACE = 5;
/** Its multiples are spread evenly modulo 1, without a period. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;
/** Visitors or places that are read at once. */
const VISITORS_AT_ONCE = 500;
const PLACES_AT_ONCE = 25;
/** Time limit for evaluating. The estimate uses the visitors evaluated until then. */
const JUDGING_MS = 700;
/** Each preview reads thousands of visitors. Building a rule must not slow down the chats. */
const previews = createSemaphore(2);

interface Range {
  total: number;
  first: number;
  last: number;
}

async function rangeOf({ db, site }: SiteContext): Promise<Range> {
  const visitors = sql`from visitors where site_id = ${site.id} and erased_at is null`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select id ${visitors} order by id limit 1) as first,
      (select id ${visitors} order by id desc limit 1) as last`.execute(db);
  const total = await countRows(db, visitors, WHOLE_MAX);
  return { total, first: rows[0]?.first ?? 0, last: rows[0]?.last ?? 0 };
}

/** The next visitors from each of these ids on. */
async function visitorsFrom(
  { db, site }: SiteContext,
  starts: readonly number[],
  limit: number,
): Promise<Settled[]> {
  const { rows } = await sql<Settled>`
    select v.* from unnest(${starts}::bigint[]) as s (start) cross join lateral (
      select ${SETTLED} from visitors where site_id = ${site.id} and id >= s.start and erased_at is null
      order by id limit ${limit}
    ) v`.execute(db);
  return rows;
}

async function* everyVisitor(ctx: SiteContext, first: number): AsyncGenerator<Settled[]> {
  let start = first;
  for (;;) {
    const visitors = await visitorsFrom(ctx, [start], VISITORS_AT_ONCE);
    const end = visitors.at(-1);
    if (!end) return;
    yield visitors;
    start = end.id + 1;
  }
}

/** Visitors of evenly spread places, in an order whose beginning is evenly spread too. */
async function* sample(ctx: SiteContext, { first, last }: Range): AsyncGenerator<Settled[]> {
  const step = (last - first) / PLACES;
  const starts = Array.from({ length: PLACES }, (_, turn) => {
    // 77 and 200 have no common factor: each place comes once, far from the one before.
    const place = (turn * 77) % PLACES;
    // Not at equal distances: every fourth visitor could be alike.
    return Math.floor(first + step * (place + ((place * GOLDEN_RATIO) % 1)));
  });
  const seen = new Set<number>();
  for (let at = 0; at < PLACES; at += PLACES_AT_ONCE) {
    const found = await visitorsFrom(ctx, starts.slice(at, at + PLACES_AT_ONCE), AT_A_PLACE);
    // Where ids are sparse, two places can lead to the same visitors.
    yield found.filter(({ id }) => seen.size < seen.add(id).size);
  }
}

/** Rounds 1,234 to 1,200: an estimate isn't more precise. */
function rounded(size: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, size))) - 1);
  return Math.round(size / unit) * unit;
}

async function preview(
  ctx: SiteContext,
  rule: ParsedInputOf<'segments.preview'>['rule'],
): Promise<SegmentPreview> {
  const range = await rangeOf(ctx);
  const until = performance.now() + JUDGING_MS;
  const examples: Settled[] = [];
  let [judged, matching] = [0, 0];
  const isSampled = range.total > WHOLE_MAX;
  for await (const visitors of isSampled ? sample(ctx, range) : everyVisitor(ctx, range.first)) {
    const verdicts = await judgeBatch(ctx, rule, visitors);
    const fitting = visitors.filter((_, at) => verdicts[at]?.holds);
    judged += visitors.length;
    matching += fitting.length;
    examples.push(...fitting.slice(0, PREVIEW_EXAMPLES_MAX - examples.length));
    if (performance.now() > until) break;
  }
  const isExact = judged >= range.total;
  return {
    size: isExact ? matching : rounded((matching / Math.max(1, judged)) * range.total),
    is_exact: isExact,
    total: isSampled ? rounded(range.total) : range.total,
    examples: examples.map(({ key, name, email, last_seen_at }) => ({
      key: key ?? '',
      name,
      email,
      last_seen_utc: last_seen_at.toISOString(),
    })),
  };
}

/** How many visitors match a rule now: exact on a small site, otherwise estimated from an even sample. */
export const previewSegment = (
  ctx: SiteContext,
  { rule }: ParsedInputOf<'segments.preview'>,
): Promise<SegmentPreview> => previews.run(() => preview(ctx, rule));
