import type { OpenTab } from './own-tabs.ts';

/** Keeps a notice within the bus's limit of 7,000 bytes. A single tab is always smaller. */
const NOTICE_BYTES = 5_500;

/** What a process sends about a site: pages opened, changed and left. */
export interface TabsNotice {
  tabs: {
    node: string;
    site: number;
    /** The number of this site's pages that the process has. */
    count: number;
    open: OpenTab[];
    gone: string[];
  };
}

type Part = Pick<TabsNotice['tabs'], 'open' | 'gone'>;

/** Splits the state of these tabs into notices; at least one, which shows that the process reports. */
export function inParts(ids: readonly string[], find: (id: string) => OpenTab | undefined): Part[] {
  const parts: Part[] = [{ open: [], gone: [] }];
  let bytes = 0;
  for (const id of ids) {
    const tab = find(id);
    const size = Buffer.byteLength(JSON.stringify(tab ?? id));
    if (bytes > 0 && bytes + size > NOTICE_BYTES) {
      parts.push({ open: [], gone: [] });
      bytes = 0;
    }
    const part = parts.at(-1);
    if (tab) part?.open.push(tab);
    else part?.gone.push(id);
    bytes += size;
  }
  return parts;
}
