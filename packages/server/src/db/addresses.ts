import { settleTls } from './tls.ts';

/** Where a process finds its database. */
export interface Addresses {
  databaseUrl: string;
  /** PostgreSQL itself, where `databaseUrl` is that of a pooler. */
  directUrl?: string;
}

interface Configured {
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
}

/** The addresses that the environment names; undefined without DATABASE_URL. */
export async function ownAddresses(config: Configured): Promise<Addresses | undefined> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (databaseUrl === undefined) return undefined;
  const direct = databaseDirectUrl === undefined ? {} : { directUrl: await settleTls(databaseDirectUrl) };
  return { databaseUrl: await settleTls(databaseUrl), ...direct };
}
