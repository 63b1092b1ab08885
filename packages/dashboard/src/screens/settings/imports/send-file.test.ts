import { IMPORT_PART_BYTES } from '@foyer/protocol/values/bounds';
import { afterEach, expect, test, vi } from 'vitest';
import { beginImport } from './send-file.ts';

afterEach(() => vi.unstubAllGlobals());

const twoParts = (name: string): File => new File([new Uint8Array(IMPORT_PART_BYTES + 1)], name);

test('a second file does not disturb the first, and leaving the page asks until both are uploaded', async () => {
  let made = 0;
  const arrived: string[] = [];
  const held = new Set<unknown>();
  const line = Promise.withResolvers<void>();
  vi.stubGlobal('addEventListener', (_: string, hold: unknown) => held.add(hold));
  vi.stubGlobal('removeEventListener', (_: string, hold: unknown) => held.delete(hold));
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.endsWith('imports.create')) {
      made += 1;
      return Response.json({ ok: true, data: { id: made }, request_id: 'r' });
    }
    await line.promise;
    arrived.push(path);
    return Response.json({ ok: true, data: {}, request_id: 'r' });
  });
  const sent = vi.fn();
  await beginImport('visitors', twoParts('a.csv'), sent);
  await beginImport('tickets', twoParts('b.csv'), sent);
  expect(held.size).toBe(1);
  line.resolve();
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(arrived.toSorted()).toEqual([
    '/app/imports/1/parts/1',
    '/app/imports/1/parts/2',
    '/app/imports/2/parts/1',
    '/app/imports/2/parts/2',
  ]);
  expect(held.size).toBe(0);
});
