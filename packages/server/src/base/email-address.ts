/** The domain, as it was given. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The address without `+anything`. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return (local.split('+', 1)[0] ?? local) + address.slice(at);
}
