import { type ParsedInputOf, PREVIEW_EXAMPLES_MAX, type SegmentPreview } from '@foyer/protocol';
import { sql } from 'kysely';
import { createSemaphore } from '../../base/semaphore.ts';
import type { SiteContext } from '../../core/context.ts';
import { judgeBatch } from './batches.ts';
import type { Settled } from './settle.ts';

/** Up to this many visitors, every one is evaluated. Of more, this many are sampled evenly. */
const JUDGED_MAX = 10_000;
/** The number of stretches of ids that the sample is read from. */
const STRETCHES = 200;
/** Up to this many visitors are read at once. */
const WHOLE = 500;
/** Time limit for evaluating. The estimate uses what was evaluated until then. */
const JUDGING_MS = 700;
/** Counting stops here. */
const TOTAL_MAX = 2_000_000;
/** Each preview reads thousands of visitors. Building a rule must not slow down the chats. */
const previews = createSemaphore(2);

const COLUMNS = sql`id, key, email, name, attributes, first_seen_at, last_seen_at, segment_ids, segments_due_at`;

interface Range {
  total: number;
  first: number;
  last: number;
}

async function rangeOf({ db, site }: SiteContext): Promise<Range> {
  const { rows } = await sql<{ total: number; first: number | null; last: number | null }>`
    select count(*) as total, min(id) as first, max(id) as last from (
      select id from visitors where site_id = ${site.id} and erased_at is null order by id desc limit ${TOTAL_MAX}
    ) v`.execute(db);
  const [range] = rows;
  return { total: range?.total ?? 0, first: range?.first ?? 0, last: range?.last ?? 0 };
}

async function stretchFrom({ db, site }: SiteContext, start: number, limit: number): Promise<Settled[]> {
  const { rows } = await sql<Settled>`
    select ${COLUMNS} from visitors where site_id = ${site.id} and id >= ${start} and erased_at is null
    order by id limit ${limit}`.execute(db);
  return rows;
}

/**
 * All visitors in consecutive stretches, or samples spread over them, in an order whose beginning is evenly spread
 * too.
 */
async function* stretches(ctx: SiteContext, { total, first, last }: Range): AsyncGenerator<Settled[]> {
  const size = JUDGED_MAX / STRETCHES;
  if (total <= JUDGED_MAX) {
    let start = first;
    for (;;) {
      const stretch = await stretchFrom(ctx, start, WHOLE);
      const end = stretch.at(-1);
      if (!end) return;
      yield stretch;
      start = end.id + 1;
    }
  }
  const step = (last - first) / STRETCHES;
  const seen = new Set<number>();
  // 77 and 200 have no common factor: each stretch comes once, far from the one before.
  for (let turn = 0; turn < STRETCHES; turn++) {
    const start = Math.floor(first + step * (((turn * 77) % STRETCHES) + 0.5));
    const stretch = (await stretchFrom(ctx, start, size)).filter(({ id }) => !seen.has(id));
    for (const { id } of stretch) seen.add(id);
    yield stretch;
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
  for await (const stretch of stretches(ctx, range)) {
    const verdicts = await judgeBatch(ctx, rule, stretch);
    const fitting = stretch.filter((_, at) => verdicts[at]?.holds);
    judged += stretch.length;
    matching += fitting.length;
    examples.push(...fitting.slice(0, PREVIEW_EXAMPLES_MAX - examples.length));
    if (performance.now() > until) break;
  }
  const isExact = judged >= range.total;
  return {
    size: isExact ? matching : rounded((matching / Math.max(1, judged)) * range.total),
    is_exact: isExact,
    total: range.total,
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
