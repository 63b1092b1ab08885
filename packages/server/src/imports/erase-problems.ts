import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Deletes skipped import rows that contain this person's key or address in any cell. */
export async function eraseProblemsOf(
  db: Db,
  siteId: number,
  identity: { key: string; email: string | null },
): Promise<void> {
  const names = [identity.key, identity.email].flatMap((name) => name?.toLowerCase() ?? []);
  await sql`
    delete from import_problems p where p.site_id = ${siteId} and exists (
      select from jsonb_array_elements_text(p.cells) as cell where lower(trim(cell)) = any (${names}))`.execute(
    db,
  );
}
