import type { OpenTab } from './own-tabs.ts';

/** So that a notice fits the bus, whose bound is 7,000 bytes. The longest tab alone has less. */
const NOTICE_BYTES = 5_500;

/** What a process sends of a site: pages that were opened or have changed, and pages that were left. */
export interface TabsNotice {
  tabs: {
    node: string;
    site: number;
    /** How many it has of this site. */
    count: number;
    open: OpenTab[];
    gone: string[];
  };
}

type Part = Pick<TabsNotice['tabs'], 'open' | 'gone'>;

/** Divides what has become of these tabs into notices; at least one, which only says that the process reports. */
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
