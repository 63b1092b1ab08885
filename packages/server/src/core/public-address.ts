import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Where browsers reach this installation; without a slash at its end. Read `url` for each use: the setup may change it. */
export interface PublicAddress {
  readonly url: string;
  /**
   * What `url` was when this process started. Cookies follow it until the next start, so that whoever has set up Foyer at
   * `http://localhost` stays signed in there.
   */
  readonly startUrl: string;
}

/** An address that nothing changes. */
export const fixedAddress = (url: string): PublicAddress => ({ url, startUrl: url });

/** The address that the setup stores. `FOYER_BASE_URL` goes before it. */
export interface StoredAddress extends PublicAddress {
  /** `FOYER_BASE_URL` is set: the setup doesn't ask. */
  readonly isFixed: boolean;
  /** Reads what another process may have stored. */
  refresh(): Promise<void>;
}

/** Opens the address of the installation whose database this is. */
export async function openPublicAddress(
  db: Db,
  { baseUrl, isBaseUrlSet }: { baseUrl: string; isBaseUrlSet: boolean },
): Promise<StoredAddress> {
  let url = baseUrl;
  const refresh = async (): Promise<void> => {
    if (isBaseUrlSet) return;
    const row = await db.selectFrom('installation').select('base_url').executeTakeFirst();
    url = row?.base_url ?? baseUrl;
  };
  await refresh();
  return {
    get url() {
      return url;
    },
    startUrl: url,
    isFixed: isBaseUrlSet,
    refresh,
  };
}

/** Stores the address for all processes; each uses it after its next `refresh`. */
export async function storePublicAddress(db: Db, url: string): Promise<void> {
  await sql`
    insert into installation (base_url) values (${url})
    on conflict (id) do update set base_url = excluded.base_url`.execute(db);
}
