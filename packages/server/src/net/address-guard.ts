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
/** In a network of one's own names are what the system says, its hosts file first. */
const resolverOf = ({ allowPrivate, resolve }: GuardOptions): Resolve =>
  resolve ?? (allowPrivate ? dns.lookup : resolvePublic);

export type AddressProblem = keyof typeof ADDRESS_PROBLEMS;

/** A name server that does not answer must not hold up saving; the connect checks again anyway. */
const SAVE_RESOLVE_TIMEOUT_MS = 3_000;

/** Names that never lead to the public internet (RFC 6761, 6762, 8375; `.internal` is set aside by ICANN). */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|home\.arpa)$/;
/** Addresses in public ranges that are a cloud's inside: Azure's host. */
const INSIDE = new Set(['168.63.129.16']);
/** All that is handed out to the public; the rest of IPv6, such as `::127.0.0.1`, is reserved. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Thrown into the socket's connect; says nothing of what the name resolved to. */
class AddressRefused extends Error {
  readonly code = 'FOYER_ADDRESS_REFUSED';
  constructor() {
    super(ADDRESS_PROBLEMS.not_public);
  }
}

/** Whether an address, as a resolver gives it, is of the public internet. Tunnels to IPv4 are not: they hide one. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || INSIDE.has(parsed.toString())) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6);
}

/** Of `URL.hostname`, which has any notation of an IPv4 address normalised already. */
function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

/** What can be said without a resolver: syntax, scheme, credentials, addresses and names that are local as they stand. */
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
 * Checks an address when it is saved. A name that does not resolve now is accepted: it may later, and each connect is
 * checked as well.
 * @returns what is wrong, in words, or null.
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
 * The `lookup` of a socket's connect: the addresses that were checked are the ones connected to, so a name that
 * changes between check and use gains nothing. One that isn't public refuses the name. Literal addresses never get
 * here: `addressProblem` goes first.
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
