/** Whether only this computer reaches an address; false for what is no address. */
export function isLocalAddress(address: string): boolean {
  const hostname = URL.parse(address)?.hostname ?? '';
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
