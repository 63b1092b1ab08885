import dns from 'node:dns';

/** The form of `dns.lookup` used here: all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/** All attempts together take less time than an exchange may. */
const QUERY = { timeout: 2_000, tries: 2 };
/**
 * Errors of name servers that don't answer. The system's resolver would ask the same servers, blocking one of few
 * threads.
 */
const SILENT = new Set(['ETIMEOUT', 'ECANCELLED']);

type Found = dns.LookupAddress[] | NodeJS.ErrnoException;

const query = (resolver: dns.Resolver, hostname: string, family: 4 | 6): Promise<Found> =>
  new Promise((done) => {
    const answer = (error: NodeJS.ErrnoException | null, addresses: string[]): void =>
      done(error ?? addresses.map((address) => ({ address, family })));
    if (family === 4) resolver.resolve4(hostname, answer);
    else resolver.resolve6(hostname, answer);
  });

/**
 * Queries name servers without using the thread pool: `dns.lookup` has four threads for the whole process, and a
 * few receivers with hanging name servers would occupy them all. Names unknown to the name servers are looked up by
 * the system, which also reads its hosts file.
 */
export function createNameResolver(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver(QUERY);
  if (servers) resolver.setServers(servers);
  return (hostname, options, callback) => {
    void Promise.all([query(resolver, hostname, 4), query(resolver, hostname, 6)]).then((found) => {
      const addresses = found.flatMap((one) => (Array.isArray(one) ? one : []));
      const silent = found.find((one) => !Array.isArray(one) && SILENT.has(one.code ?? ''));
      if (addresses.length > 0) callback(null, addresses);
      else if (silent && !Array.isArray(silent)) callback(silent, []);
      else dns.lookup(hostname, options, callback);
    });
  };
}
