import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Given } from '../db/given-rows.ts';
import type { Change, Notice } from './domain-event.ts';

/** How many changes may be pending in a process; beyond that, the oldest count as committed. */
const UNDER_WAY_MAX = 10_000;
/**
 * No statement runs this long, so a change without notices by then has failed, or the answer to its commit was lost.
 */
const UNANSWERED_MS = 10_000;
const FORGOTTEN_MS = 60_000;

/** Numbers the changes of this process. */
export class Changes {
  /** This process, in the outbox. */
  readonly node = randomBytes(6).toString('hex');
  readonly #underWay = new Map<number, number>();
  #last = 0;

  /** How many changes there were. */
  get count(): number {
    return this.#last;
  }

  next(): Change {
    const n = ++this.#last;
    this.#underWay.set(n, performance.now());
    const oldest = this.#underWay.size > UNDER_WAY_MAX ? this.#underWay.keys().next().value : undefined;
    if (oldest !== undefined) this.#underWay.delete(oldest);
    return { node: this.node, n };
  }

  /** The change was committed, and its notices are sent. */
  settled({ n }: Change): void {
    this.#underWay.delete(n);
  }

  /** Changes that may have been committed without an answer, so that this process hasn't sent their notices either. */
  unanswered(): number[] {
    const now = performance.now();
    for (const [n, since] of this.#underWay) {
      if (now - since <= FORGOTTEN_MS) break;
      this.#underWay.delete(n);
    }
    const found: number[] = [];
    for (const [n, since] of this.#underWay) {
      if (now - since <= UNANSWERED_MS) break;
      found.push(n);
    }
    return found;
  }
}

/** Names one notice of a change, the same on the bus and in the outbox. */
export const partOf = ({ node, n }: Change, index: number): string => `${node}:${n}:${index}`;

/** Changes of cached data or of workers' jobs, which concern every process. */
const FOR_EVERYONE: ReadonlySet<Notice['kind']> = new Set([
  'site',
  'agents',
  'tokens',
  'signed_out',
  'deliveries',
]);
/**
 * Nothing depends on these: webhooks, live visitors and suspended mails are polled anyway, and nothing shows changed
 * visitors.
 */
const NOT_RECORDED: ReadonlySet<Notice['kind']> = new Set([
  'deliveries',
  'suspended',
  'visitors_here',
  'visitor',
]);

/** Whether every process needs a notice, not only those that follow the site. */
export const isForEveryone = ({ kind }: Notice): boolean => FOR_EVERYONE.has(kind);

/** Whether a notice must reach the processes that need it. */
export const isRecorded = ({ kind }: Notice): boolean => !NOT_RECORDED.has(kind);

/**
 * An insert that records a change of a site, as a part of the statement that makes it.
 * @param notices a JSON list of them
 * @param from the rows that the statement has changed: without any, nothing is recorded
 */
export const recordChange = (
  siteId: Given<number>,
  { node, n }: { [K in keyof Change]: Given<Change[K]> },
  notices: RawBuilder<unknown>,
  { everyone = false, from = sql`` }: { everyone?: boolean; from?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> => sql`
    insert into notice_outbox (site_id, node, n, everyone, notices)
    select ${siteId}::bigint, ${node}::text, ${n}::bigint, ${sql.lit(everyone)}, ${notices} ${from}`;
