/** A message that waits for its transport; without a site it is for every process. */
export interface Outgoing {
  siteId: number | undefined;
  json: string;
}

/** Stands for every process, because no site has this number. */
const EVERYONE = 0;

/** How much of a payload a message takes, with its site. */
const bytesOf = ({ siteId, json }: Outgoing): number =>
  Buffer.byteLength(json) + String(siteId ?? EVERYONE).length + 4;

/**
 * Combines messages into as few payloads as possible, each `[[sites],⏎message,⏎message…]`. It is JSON, and can also be
 * read line by line: a receiver skips messages of sites that it doesn't follow without parsing them.
 * @param maxBytes of a payload, apart from its brackets; a longer message gets one of its own
 */
export function packPayloads(messages: readonly Outgoing[], maxBytes: number): string[] {
  const payloads: string[] = [];
  let part: Outgoing[] = [];
  let size = 0;
  const finish = (): void => {
    const sites = part.map(({ siteId }) => siteId ?? EVERYONE).join(',');
    if (part.length > 0) payloads.push(`[[${sites}],\n${part.map(({ json }) => json).join(',\n')}]`);
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
 * The messages of a payload that are for everybody or of a site that `isFollowed`.
 * @throws SyntaxError for a payload of another form
 */
export function unpackPayload(payload: string, isFollowed: (siteId: number) => boolean): unknown[] {
  // Processes of earlier versions send a plain list.
  if (!payload.startsWith('[[')) return [JSON.parse(payload)].flat();
  const [head = '', ...lines] = payload.split('\n');
  const sites: unknown = JSON.parse(head.slice(1, -1));
  if (!Array.isArray(sites)) return [];
  return lines
    .filter((_, index) => sites[index] === EVERYONE || isFollowed(sites[index]))
    .map((line): unknown => JSON.parse(line.slice(0, -1)));
}
