import { addressRange } from '@foyer/protocol';
import ipaddr from 'ipaddr.js';

/** A customer with IPv6 has at least a /64, so no smaller range distinguishes customers (`limits/address-key`). */
const V6_LONGEST = 64;
/** A wider range is most likely a mistake: it would block whole continents. */
const V4_SHORTEST = 8;
const V6_SHORTEST = 16;

const bitsOfBytes = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');

const bitsOfV6 = (parts: readonly number[]): string =>
  parts
    .slice(0, 4)
    .map((part) => part.toString(2).padStart(16, '0'))
    .join('');

/**
 * The form in which an address or range is stored: `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/64`.
 * @returns undefined for anything else, and for a range that is too wide
 */
export function normalNetwork(text: string): string | undefined {
  const valid = addressRange.safeParse(text);
  if (!valid.success) return undefined;
  const [written = '', length] = valid.data.split('/');
  const address = length === undefined ? ipaddr.process(written) : ipaddr.parse(written);
  if (address instanceof ipaddr.IPv4) {
    const bits = Number(length ?? 32);
    if (bits < V4_SHORTEST) return undefined;
    const network = ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString();
    return bits === 32 ? network : `${network}/${bits}`;
  }
  const bits = Math.min(Number(length ?? V6_LONGEST), V6_LONGEST);
  if (bits < V6_SHORTEST) return undefined;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** The bits of a caller's key (`limits/address-key`), after its family; undefined for an unknown address. */
function bitsOfCaller(caller: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(caller))
    return `4${bitsOfBytes(ipaddr.IPv4.parse(caller).toByteArray())}`;
  const parts = caller.split(':').map((part) => Number.parseInt(part, 16));
  return parts.length === 4 && parts.every((part) => part >= 0 && part <= 0xffff)
    ? `6${bitsOfV6(parts)}`
    : undefined;
}

/** Addresses and ranges in their normal form. Matching a caller takes as long for one as for many. */
export class Networks<T> {
  readonly #byLength = new Map<number, Map<string, T>>();

  add(network: string, of: T): void {
    const [written = '', length] = network.split('/');
    const address = ipaddr.parse(written);
    const isV4 = address instanceof ipaddr.IPv4;
    const bits = isV4 ? `4${bitsOfBytes(address.octets)}` : `6${bitsOfV6(address.parts)}`;
    const prefix = bits.slice(0, 1 + Number(length ?? 32));
    const same = this.#byLength.get(prefix.length) ?? new Map<string, T>();
    same.set(prefix, of);
    this.#byLength.set(prefix.length, same);
  }

  /** The values added with the networks that this caller is in. @param caller a key of `limits/address-key` */
  *of(caller: string | undefined): Generator<T> {
    const bits = caller === undefined || this.#byLength.size === 0 ? undefined : bitsOfCaller(caller);
    if (bits === undefined) return;
    for (const [length, prefixes] of this.#byLength) {
      const found = prefixes.get(bits.slice(0, length));
      if (found !== undefined) yield found;
    }
  }
}
