import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

/** The archive's agents and tokens in this installation: former people and programs, without access. */
export interface People {
  agentOf(old: unknown): number | null;
  tokenOf(old: unknown): number | null;
  addAgent(tx: SiteContext, row: Record<string, unknown>): Promise<Record<string, unknown>>;
  addToken(row: Record<string, unknown>): Record<string, unknown>;
  /** Reads the people again after some were inserted. */
  learn(tx: SiteContext): Promise<void>;
}

/**
 * Derives the same names and hashes for the same archive, so that a continued import recognises the people it has
 * created.
 */
export function peopleOf(siteId: number, archiveId: string): People {
  const prefix = `import-${siteId}-${archiveId}-`;
  const hashOf = (old: unknown): Buffer => createHash('sha256').update(`${prefix}${old}`).digest();
  const agents = new Map<string, number>();
  const tokens = new Map<string, number>();
  return {
    agentOf: (old) => agents.get(String(old)) ?? null,
    tokenOf: (old) => tokens.get(hashOf(old).toString('hex')) ?? null,
    async addAgent(tx, { id, email: _, ...row }) {
      const userId = `${prefix}${id}`;
      const name = String(row.name);
      // A real address would prevent inviting them again.
      await sql`
        insert into auth_users (id, name, email) values (${userId}, ${name}, ${`${userId}@import.invalid`})
        on conflict do nothing`.execute(tx.db);
      return { ...row, user_id: userId, removed_at: row.removed_at ?? tx.now().toISOString() };
    },
    addToken: ({ id, ...row }) => ({
      ...row,
      token_hash: `\\x${hashOf(id).toString('hex')}`,
      revoked_at: row.revoked_at ?? new Date().toISOString(),
    }),
    async learn({ db, site }) {
      const found = await sql<{ id: number; old: string }>`
        select id, substr(user_id, ${prefix.length + 1}::integer) as old from agents
        where site_id = ${site.id} and starts_with(user_id, ${prefix})`.execute(db);
      for (const { id, old } of found.rows) agents.set(old, id);
      const known = await sql<{ id: number; hash: string }>`
        select id, encode(token_hash, 'hex') as hash from api_tokens where site_id = ${site.id}`.execute(db);
      for (const { id, hash } of known.rows) tokens.set(hash, id);
    },
  };
}
