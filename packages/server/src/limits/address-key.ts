import ipaddr from 'ipaddr.js';

/**
 * The key by which attempts from one address count together: the IPv4 address, or the /64 of an IPv6 customer.
 * @param address `request.ip`, which respects forwarded headers only as configured in FOYER_TRUST_PROXY
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6)
    return parsed.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':');
  return parsed.toString();
}
