/** These bytes in a buffer of their own, which can be transferred to another thread: small ones share one with others. */
export const ownBytes = (bytes: Buffer): Buffer =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer);

/** The same bytes as a Buffer: transferred bytes arrive as a plain array. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The buffers of bytes that are transferred instead of copied. */
export const buffersOf = (transferred: readonly Uint8Array[]): ArrayBuffer[] => [
  ...new Set(transferred.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)),
];
