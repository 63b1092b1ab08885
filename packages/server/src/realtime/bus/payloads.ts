/** A message that waits for its transport; without a channel it is for every process. */
export interface Outgoing {
  channel: number | undefined;
  json: string;
}

/** Means every process, because no channel has this number. */
const EVERYONE = 0;

/** The size of a message in a payload, with its channel. */
const bytesOf = ({ channel, json }: Outgoing): number =>
  Buffer.byteLength(json) + String(channel ?? EVERYONE).length + 4;

/**
 * Combines messages into as few payloads as possible, each `[[channels],⏎message,⏎message…]`. It is JSON, and can also
 * be read line by line: a receiver skips messages of channels that it doesn't follow without parsing them.
 * @param maxBytes of a payload, apart from its brackets; a longer message gets one of its own
 */
export function packPayloads(messages: readonly Outgoing[], maxBytes: number): string[] {
  const payloads: string[] = [];
  let part: Outgoing[] = [];
  let size = 0;
  const finish = (): void => {
    const channels = part.map(({ channel }) => channel ?? EVERYONE).join(',');
    if (part.length > 0) payloads.push(`[[${channels}],\n${part.map(({ json }) => json).join(',\n')}]`);
    [part, size] = [[], 0];
  };
  for (const message of messages) {
    const bytes = bytesOf(message);
    if (size + bytes > maxBytes) finish();
    part.push(message);
    size += bytes;
  }
  finish();
  return payloads;
}

/**
 * The messages of a payload that are for everybody or of a channel that `isFollowed`.
 * @throws SyntaxError for an invalid payload
 */
export function unpackPayload(payload: string, isFollowed: (channel: number) => boolean): unknown[] {
  // Processes of earlier versions send a plain list.
  if (!payload.startsWith('[[')) return [JSON.parse(payload)].flat();
  const [head = '', ...lines] = payload.split('\n');
  const channels: unknown = JSON.parse(head.slice(1, -1));
  if (!Array.isArray(channels)) return [];
  return lines
    .filter((_, index) => channels[index] === EVERYONE || isFollowed(channels[index]))
    .map((line): unknown => JSON.parse(line.slice(0, -1)));
}
