/** Random bytes in hex. `crypto.randomUUID` is missing on pages without https. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    (256 + byte).toString(16).slice(1),
  ).join('');

let lastMs = 0;

/**
 * UUID v7 (RFC 9562), sorted by creation time. Ids from the same millisecond are spaced a millisecond apart, so
 * that one page's ids stay in order.
 */
export const uuidV7 = (): string => {
  lastMs = Math.max(Date.now(), lastMs + 1);
  const time = lastMs.toString(16).padStart(12, '0');
  const random = randomHex(9);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`;
};
