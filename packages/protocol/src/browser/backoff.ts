/**
 * The pause before the next attempt, in ms: doubles with each failure up to `maxMs`, and is spread over its upper half
 * so that clients don't come back all at once.
 */
export const backoffMs = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(firstMs * 2 ** failures, maxMs) * (0.5 + Math.random() / 2);
