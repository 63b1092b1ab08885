/**
 * FNV-1a over a part of a text, mixed: the number by which a learned model identifies a feature. `seed` distinguishes
 * kinds.
 */
export function featureHash(text: string, start: number, end: number, seed: number): number {
  let hash = 2_166_136_261 ^ seed;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash ^ (hash >>> 15);
}
