import dns from 'node:dns';

/** How `dns.lookup` is called here: every address of a name. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/** Together below the time of an exchange. */
const QUERY = { timeout: 2_000, tries: 2 };
/** Name servers that don't answer: the system's resolver would ask the same ones, in one of few threads. */
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
 * Asks name servers without a thread of the pool: `dns.lookup` has four for all that this process does, and a few
 * receivers whose name servers hang would hold them. What no name server knows the system may, from its hosts file.
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
