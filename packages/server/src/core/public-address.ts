import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Where browsers reach this installation, without a trailing slash. Read `url` for each use: an admin may change
 * it.
 */
export interface PublicAddress {
  readonly url: string;
  /**
   * The `url` with which this process started. Cookies follow it until the next start, so an owner who set up Foyer
   * at `http://localhost` stays signed in there.
   */
  readonly startUrl: string;
  /** FOYER_FILES_URL: the address of files from strangers. Undefined: at `url`. */
  readonly filesUrl?: string | undefined;
}

/** The address of files from strangers. */
export const filesAddress = ({ url, filesUrl }: PublicAddress): string => filesUrl ?? url;

/** The address that an admin has set. `FOYER_BASE_URL` has priority. */
export interface StoredAddress extends PublicAddress {
  /** Whether `FOYER_BASE_URL` is set: then admins can't set the address. */
  readonly isFixed: boolean;
  /** Loads the address that another process may have stored. */
  refresh(): Promise<void>;
}

/** An address that never changes. */
export const fixedAddress = (url: string): StoredAddress => ({
  url,
  startUrl: url,
  isFixed: true,
  refresh: async () => undefined,
});

/** Loads the address of the installation that this database belongs to. */
export async function openPublicAddress(
  db: Db,
  {
    baseUrl,
    isBaseUrlSet,
    filesUrl,
  }: { baseUrl: string; isBaseUrlSet: boolean; filesUrl?: string | undefined },
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
    filesUrl,
    isFixed: isBaseUrlSet,
    refresh,
  };
}

/** Stores the address for all processes. Each uses it after its next `refresh`. */
export async function storePublicAddress(db: Db, url: string): Promise<void> {
  await sql`
    insert into installation (base_url) values (${url})
    on conflict (id) do update set base_url = excluded.base_url`.execute(db);
}
