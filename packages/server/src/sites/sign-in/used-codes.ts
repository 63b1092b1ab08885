import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** A 30 s code is accepted for one period before and after its own; after that it can be forgotten. */
const USED_CODES_KEPT_S = 300;

/** Claims a code or a challenge for an account. @returns false if it was used in the last five minutes */
export async function claimOnce(db: Db, userId: string, code: string): Promise<boolean> {
  const { rows } = await sql<{ code: string }>`
    with over as (
      delete from auth_used_codes
      where user_id = ${userId} and used_at < now() - make_interval(secs => ${USED_CODES_KEPT_S})
    )
    insert into auth_used_codes (user_id, code, used_at) values (${userId}, ${code}, now())
    on conflict do nothing returning code`.execute(db);
  return rows.length > 0;
}
