/** Whether an address is only reachable from this computer; false for an invalid one. */
export function isLocalAddress(address: string): boolean {
  const hostname = URL.parse(address)?.hostname ?? '';
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
