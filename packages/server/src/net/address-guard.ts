import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { ADDRESS_PROBLEMS } from '@foyer/protocol/values/webhook-sentences';
import ipaddr from 'ipaddr.js';
import { createNameResolver, type Resolve } from './resolve-name.ts';

export interface GuardOptions {
  allowPrivate: boolean;
  resolve?: Resolve;
}

const resolvePublic = createNameResolver();
/** With private addresses allowed, the system resolves names, starting with its hosts file. */
const resolverOf = ({ allowPrivate, resolve }: GuardOptions): Resolve =>
  resolve ?? (allowPrivate ? dns.lookup : resolvePublic);

export type AddressProblem = keyof typeof ADDRESS_PROBLEMS;

/** A hanging name server must not block saving. Every connection checks the address again anyway. */
const SAVE_RESOLVE_TIMEOUT_MS = 3_000;

/** Names that never lead to the public internet (RFC 6761, 6762, 8375; ICANN reserves `.internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|home\.arpa)$/;
/** Public addresses that belong to a cloud's internal services: Azure's host. */
const INSIDE = new Set(['168.63.129.16']);
/** The range of IPv6 that is allocated to the public. The rest is reserved, including `::127.0.0.1`. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Thrown into the socket's connect. Reveals nothing about the address that the name resolved to. */
export class AddressRefused extends Error {
  readonly code = 'FOYER_ADDRESS_REFUSED';
  constructor() {
    super(ADDRESS_PROBLEMS.not_public);
  }
}

/**
 * Whether a resolved address belongs to the public internet. IPv6 tunnels to IPv4 don't count, because they hide an
 * address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || INSIDE.has(parsed.toString())) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6);
}

/** The IP address in a `URL.hostname`, which normalises every notation of IPv4; null for a name. */
function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * The problem that can be found without a resolver: syntax, scheme, credentials, and addresses and names that are
 * local.
 */
export function addressProblem(url: string, { allowPrivate }: GuardOptions): AddressProblem | null {
  const parsed = URL.parse(url);
  if (!parsed) return 'form';
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'scheme';
  if (parsed.username || parsed.password) return 'credentials';
  if (allowPrivate) return null;
  const literal = literalOf(parsed.hostname);
  if (literal !== null) return isPublicAddress(literal) ? null : 'not_public';
  return LOCAL_NAME.test(parsed.hostname.toLowerCase().replace(/(?<!\.)\.+$/, '')) ? 'not_public' : null;
}

function resolveWithin(hostname: string, resolve: Resolve): Promise<dns.LookupAddress[]> {
  return new Promise((done) => {
    const timer = setTimeout(() => done([]), SAVE_RESOLVE_TIMEOUT_MS);
    resolve(hostname, { all: true }, (error, addresses) => {
      clearTimeout(timer);
      done(error ? [] : addresses);
    });
  });
}

/**
 * Checks an address when it is saved. A name that doesn't resolve now is accepted: it may resolve later, and every
 * connection is checked as well.
 * @returns the problem in words, or null
 */
export async function checkUrl(url: string, options: GuardOptions): Promise<string | null> {
  const problem = addressProblem(url, options);
  if (problem !== null) return ADDRESS_PROBLEMS[problem];
  if (options.allowPrivate) return null;
  const { hostname } = new URL(url);
  if (literalOf(hostname) !== null) return null;
  const addresses = await resolveWithin(hostname, resolverOf(options));
  return addresses.every(({ address }) => isPublicAddress(address)) ? null : ADDRESS_PROBLEMS.not_public;
}

/**
 * The `lookup` function for a socket's connect: it connects to exactly the addresses that were checked, so a name
 * that changes between check and use gains nothing. One private address refuses the name. IP literals never get
 * here: `addressProblem` checks them first.
 */
export function guardedLookup(guard: GuardOptions): LookupFunction {
  const { allowPrivate } = guard;
  const resolve = resolverOf(guard);
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      const refused = !allowPrivate && !addresses.every(({ address }) => isPublicAddress(address));
      if (!first || refused) return callback(new AddressRefused(), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
