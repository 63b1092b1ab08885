import { settleTls } from './tls.ts';

/** Where a process finds its database. */
export interface Addresses {
  databaseUrl: string;
  /** PostgreSQL itself, if `databaseUrl` is that of a pooler. */
  directUrl?: string;
  /** A streaming replica; whether it uses TLS is decided once it answers. */
  replicaUrl?: string;
}

interface Configured {
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databaseReplicaUrl: string | undefined;
}

/** The addresses that the environment names; undefined without DATABASE_URL. */
export async function ownAddresses(config: Configured): Promise<Addresses | undefined> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl } = config;
  if (databaseUrl === undefined) return undefined;
  const direct = databaseDirectUrl === undefined ? {} : { directUrl: await settleTls(databaseDirectUrl) };
  const replica = databaseReplicaUrl === undefined ? {} : { replicaUrl: databaseReplicaUrl };
  return { databaseUrl: await settleTls(databaseUrl), ...direct, ...replica };
}
