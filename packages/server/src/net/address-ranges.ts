import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

/**
 * Addresses and CIDR ranges, such as `203.0.113.0/24`, as a question about one address. An IPv4 address that arrives as
 * IPv6 (`::ffff:203.0.113.7`) is the IPv4 address.
 * @param ranges must be valid: `addressRange` of the protocol checks them
 */
export function createAddressRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const plain = ipaddr.process(address).toString();
    return list.check(plain, familyOf(plain));
  };
}
