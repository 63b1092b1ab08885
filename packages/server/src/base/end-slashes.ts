/** The address without trailing slashes, so that a path can be appended. Linear in the length of the address. */
export const withoutEndSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
