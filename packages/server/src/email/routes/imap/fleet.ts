import { sql } from 'kysely';
import type { Logger } from 'pino';
import { pause } from '../../../base/pause.ts';
import { createSemaphore } from '../../../base/semaphore.ts';
import type { SiteContext } from '../../../core/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Shares } from '../../../jobs/shares.ts';
import { isSignInRefused } from '../../../mail/oauth/access-token.ts';
import { SignInProblem } from '../../../mail/oauth/token-requests.ts';
import type { GuardOptions } from '../../../net/address-guard.ts';
import type { ImapRow } from './position.ts';
import { Reader } from './reader.ts';

export interface FleetOptions {
  db: Db;
  log: Logger;
  shares: Pick<Shares, 'owns'>;
  guard: GuardOptions;
  contextFor(siteId: number): Promise<SiteContext | undefined>;
  /** How often it checks all mailboxes; default 2 s. */
  everyMs?: number;
}

const LOOK_MS = 2_000;
const CONNECTING_AT_ONCE = 8;
/** Whole messages in memory. */
const MESSAGES_AT_ONCE = 2;
/** Servers end an IDLE after 10 to 30 minutes, and routers forget quiet connections. */
const RENEW_MS = 9 * 60_000;
/** How often a server without IDLE is asked. */
const POLL_MS = 60_000;
/** A command without an answer for this long won't get one. */
const STUCK_MS = 3 * 60_000;
const FIRST_RETRY_MS = 5_000;
const RETRY_MAX_MS = 15 * 60_000;
/** Attempts to sign in with a wrong password lock accounts. */
const LOGIN_RETRY_MS = 2 * 60_000;

/** A mailbox that this process handles. */
interface Berth {
  updatedAt: number;
  reader: Reader | undefined;
  /** Until `reader` has ended. */
  running: Promise<void> | undefined;
  failures: number;
  retryAt: number;
  tries: Map<string, number>;
}

interface Known {
  site_id: number;
  id: number;
  updated_at: Date;
}

/** Whether the mailbox `m` is read by IMAP: one with a provider isn't until somebody has signed in. */
export const isRead = sql`m.incoming = 'imap' and m.is_enabled and not exists (
  select from mailbox_sign_ins s
  where s.site_id = m.site_id and s.mailbox_id = m.id and s.signed_in_at is null)`;

/**
 * Keeps a connection to each IMAP mailbox of this process's share. One loop handles all of them: it opens and ends
 * connections, renews idle ones and cuts those that hang.
 */
export function startImapFleet(options: FleetOptions): { stop(): Promise<void> } {
  const { log, everyMs = LOOK_MS } = options;
  const stopped = new AbortController();
  const fleet = new Fleet(options);
  const looking = (async () => {
    while (!stopped.signal.aborted) {
      await fleet.look().catch((error) => log.warn({ err: error }, 'looking after mailboxes failed'));
      await pause(everyMs, stopped.signal);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await looking;
      await fleet.end();
    },
  };
}

class Fleet {
  readonly #options: FleetOptions;
  readonly #berths = new Map<string, Berth>();
  readonly #connecting = createSemaphore(CONNECTING_AT_ONCE);
  readonly #messages = createSemaphore(MESSAGES_AT_ONCE);
  #isEnding = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { db, shares } = this.#options;
    const { rows } = await sql<Known>`
      select site_id, id, updated_at from mailboxes m where ${isRead}`.execute(db);
    const ours = new Map(
      rows
        .filter(({ site_id, id }) => shares.owns(`mailbox ${site_id} ${id}`))
        .map((row) => [`${row.site_id} ${row.id}`, row]),
    );
    for (const [key, berth] of this.#berths) if (!ours.has(key)) this.#leave(key, berth);
    for (const [key, known] of ours) this.#attend(key, known);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    const running = [...this.#berths.values()].map((berth) => berth.running);
    for (const [key, berth] of this.#berths) this.#leave(key, berth);
    await Promise.all(running);
  }

  #leave(key: string, berth: Berth): void {
    berth.reader?.stop();
    this.#berths.delete(key);
  }

  #attend(key: string, { site_id, id, updated_at }: Known): void {
    const berth = this.#berths.get(key) ?? {
      updatedAt: updated_at.getTime(),
      reader: undefined,
      running: undefined,
      failures: 0,
      retryAt: 0,
      tries: new Map<string, number>(),
    };
    this.#berths.set(key, berth);
    if (berth.updatedAt !== updated_at.getTime()) {
      berth.updatedAt = updated_at.getTime();
      berth.retryAt = 0;
      berth.failures = 0;
      berth.reader?.stop();
    }
    const now = performance.now();
    if (berth.running === undefined) {
      if (now >= berth.retryAt) berth.running = this.#sail(site_id, id, berth);
      return;
    }
    const { reader } = berth;
    if (!reader) return;
    const quietMs = now - reader.activeAt;
    if (!reader.isIdle) {
      if (quietMs > STUCK_MS) reader.cut();
    } else if (quietMs > (reader.isPushed ? RENEW_MS : POLL_MS)) reader.wake();
  }

  /** One connection, from its start to its end. Never throws. */
  async #sail(siteId: number, id: number, berth: Berth): Promise<void> {
    const { log } = this.#options;
    try {
      const error = await this.#read(siteId, id, berth);
      if (error === undefined) return;
      const isLogin = error instanceof SignInProblem || isSignInRefused(error);
      const base = isLogin ? LOGIN_RETRY_MS : FIRST_RETRY_MS;
      const ms = Math.min(RETRY_MAX_MS, base * 2 ** berth.failures);
      berth.failures += 1;
      // Spread over time, so that a server that restarts isn't asked by all at once.
      berth.retryAt = performance.now() + ms * (0.75 + Math.random() / 2);
    } catch (error) {
      berth.retryAt = performance.now() + FIRST_RETRY_MS;
      log.warn({ err: error, site_id: siteId, mailbox_id: id }, 'a mailbox could not be read');
    } finally {
      berth.reader = undefined;
      berth.running = undefined;
    }
  }

  async #read(siteId: number, id: number, berth: Berth): Promise<unknown> {
    const { contextFor, guard } = this.#options;
    const ctx = await contextFor(siteId);
    const row = ctx && (await findRow(ctx, id));
    if (!ctx || !row || this.#isEnding) return undefined;
    const reader = new Reader({
      ctx,
      row,
      guard,
      tries: berth.tries,
      connect: (work) => this.#connecting.run(work),
      withRoom: (work) => this.#messages.run(work),
      onWorking: () => {
        berth.failures = 0;
      },
    });
    berth.reader = reader;
    return reader.run();
  }
}

const findRow = (ctx: SiteContext, id: number): Promise<ImapRow | undefined> =>
  ctx.db
    .selectFrom('mailboxes')
    .leftJoin('mailbox_sign_ins', (join) =>
      join
        .onRef('mailbox_sign_ins.site_id', '=', 'mailboxes.site_id')
        .onRef('mailbox_sign_ins.mailbox_id', '=', 'mailboxes.id'),
    )
    .selectAll('mailboxes')
    .select('mailbox_sign_ins.provider')
    .where('mailboxes.site_id', '=', ctx.site.id)
    .where('mailboxes.id', '=', id)
    .where('is_enabled', '=', true)
    .where('incoming', '=', 'imap')
    .executeTakeFirst();
