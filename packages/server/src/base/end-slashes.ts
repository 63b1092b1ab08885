/** An address without slashes at its end, so that a path can follow. The time grows no faster than the address. */
export const withoutEndSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
