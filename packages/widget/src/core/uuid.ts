let lastTime = 0;

/**
 * UUID v7 (RFC 9562): ids of messages, which sort as they were written: two of the same millisecond are a millisecond
 * apart.
 */
export const uuid = (now: number = Date.now()): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = Math.max(Math.floor(now), lastTime + 1);
  lastTime = time;
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(time / 2 ** (8 * (5 - index))) % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
