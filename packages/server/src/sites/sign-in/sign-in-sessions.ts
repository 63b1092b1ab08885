import type { SignedInDevice } from '@foyer/protocol';
import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/tables.generated.ts';

const LISTED_MAX = 200;
const NOTED_SESSIONS_MAX = 10_000;
/** How precisely a session's last use is recorded. */
const NOTE_MS = 5 * 60_000;

/** The identity provider that opened a session: it acts at the provider's site only. */
export interface SessionProvider {
  siteId: number;
  providerId: number;
}

/**
 * The sessions that a session may see and end: one opened by a site's identity provider only those of that provider,
 * because the person's other sites need not trust it.
 */
export const ofProvider = (provider: SessionProvider | undefined) =>
  provider === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(site_id = ${provider.siteId} and provider_id = ${provider.providerId})`;

/** A person's sessions, the most recently used first. */
export async function listSessions(
  db: Db,
  about: { userId: string; sessionId: string; provider: SessionProvider | undefined },
): Promise<SignedInDevice[]> {
  const { userId, sessionId, provider } = about;
  const rows = await db
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date())
    .where(ofProvider(provider))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    current: row.id === sessionId,
    user_agent: row.user_agent ?? '',
    address: row.ip_address ?? '',
    created_utc: row.created_at.toISOString(),
    last_used_utc: row.last_used_at.toISOString(),
  }));
}

/** Records where and when sessions are used, without a write per call. */
export function createUseNotes(
  db: Kysely<Tables>,
  log: Logger,
  now: () => Date,
): (sessionId: string, address: string) => void {
  const noted = createBoundedCache<string>({
    max: NOTED_SESSIONS_MAX,
    ttlMs: NOTE_MS,
    now,
  });
  return (sessionId, address) => {
    if (noted.get(sessionId) === address) return;
    noted.set(sessionId, address);
    db.updateTable('auth_sessions')
      .set({ last_used_at: now(), ip_address: address })
      .where('id', '=', sessionId)
      .execute()
      .catch((error) => log.warn({ err: error }, 'recording the use of a session failed'));
  };
}

/** How long agents of a site stay signed in; null: as long as the session lasts. */
export interface SessionLimits {
  idleHours: number | null;
  maxDays: number | null;
}

interface SessionTimes {
  createdAt: Date;
  lastUsedAt: Date;
}

/** Whether a session may no longer act at the site with these limits. */
export function isOver({ idleHours, maxDays }: SessionLimits, times: SessionTimes, now: Date): boolean {
  const { createdAt, lastUsedAt } = times;
  const isIdle = idleHours !== null && now.getTime() - lastUsedAt.getTime() >= idleHours * HOUR_MS;
  return isIdle || (maxDays !== null && now.getTime() - createdAt.getTime() >= maxDays * DAY_MS);
}
