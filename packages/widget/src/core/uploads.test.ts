import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { KeptFiles } from './kept-files.ts';
import type { SentFile } from './outbox.ts';
import { createUploads, type DraftFile } from './uploads.ts';

const CHAT = 'ses_aaaaaaaaaaaaaaaaaaaaaa';

/** An XMLHttpRequest that the test controls. */
class FakeRequest {
  static sent: FakeRequest[] = [];
  address = '';
  headers: Record<string, string> = {};
  status = 0;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  open(_method: string, address: string) {
    this.address = address;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send() {
    FakeRequest.sent.push(this);
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number) {
    this.status = status;
    if (status) this.onload?.();
    else this.onerror?.();
    return settled();
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0);
const lastRequest = (): FakeRequest => {
  const request = FakeRequest.sent.at(-1);
  if (!request) throw new Error('nothing was sent');
  return request;
};

beforeEach(() => {
  vi.useFakeTimers();
  FakeRequest.sent = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const file = (name: string, bytes = 3) => new File(['x'.repeat(bytes)], name, { type: 'text/plain' });

const make = () => {
  const kept = new Map<string, { chat: string; goes: boolean }>();
  const arrived: [string, SentFile][] = [];
  let files: DraftFile[] = [];
  const store: KeptFiles = {
    put: ({ upload_id, chat, goes }) => void kept.set(upload_id, { chat, goes }),
    remove: (uploadId) => void kept.delete(uploadId),
    adopt: async () => [],
    isEmpty: async () => kept.size === 0,
    clear: async () => kept.clear(),
  };
  const uploads = createUploads({
    kept: store,
    urlOf: (uploadId, name) => `/widget/uploads/${uploadId}?name=${name}`,
    token: async () => 'vis_t',
    limits: () => ({ max_files: 3, max_bytes: 10, kinds: ['document'] }),
    onChange: (_chat, next) => {
      files = next;
    },
    onReady: (chat, sent) => arrived.push([chat, sent]) > 0,
  });
  return { uploads, kept, arrived, states: () => files.map(({ state }) => state), files: () => files };
};

test('a message accepts as many files as the site allows, and marks the next as too many', async () => {
  const { uploads, states } = make();
  uploads.add(
    CHAT,
    ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => file(name)),
  );
  await settled();
  expect(states()).toEqual(['uploading', 'uploading', 'uploading', 'too_many']);
  expect(FakeRequest.sent).toHaveLength(3);
});

test('a file that can’t be sent does not count towards the limit', async () => {
  const { uploads, states } = make();
  uploads.add(CHAT, [file('a.exe'), file('big.txt', 11), file('a.txt'), file('b.txt'), file('c.txt')]);
  await settled();
  expect(states()).toEqual(['kind', 'too_large', 'uploading', 'uploading', 'uploading']);
});

test('a failed upload is retried automatically under the same id, with growing pauses', async () => {
  const { uploads, states } = make();
  uploads.add(CHAT, [file('a.txt')]);
  await settled();
  for (const wait of [1_000, 4_000, 16_000]) {
    const tries = FakeRequest.sent.length;
    await lastRequest().answer(0);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(FakeRequest.sent).toHaveLength(tries);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeRequest.sent).toHaveLength(tries + 1);
  }
  expect(new Set(FakeRequest.sent.map(({ address }) => address)).size).toBe(1);
  await lastRequest().answer(503);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(FakeRequest.sent).toHaveLength(4);
  expect(states()).toEqual(['failed']);
});

test('a failed file is retried after a reconnect, and when the visitor retries it', async () => {
  const { uploads, states, files } = make();
  uploads.add(CHAT, [file('a.txt')]);
  await settled();
  await lastRequest().answer(401);
  expect(states()).toEqual(['failed']);
  uploads.again();
  await settled();
  expect(FakeRequest.sent).toHaveLength(2);
  await lastRequest().answer(401);
  uploads.retry(CHAT, files()[0]?.upload_id ?? '');
  await settled();
  await lastRequest().answer(201);
  expect(states()).toEqual(['ready']);
  expect(lastRequest().headers.authorization).toBe('Bearer vis_t');
});

test.each([400, 403, 413, 415])(
  'a file that the server refuses with %i is not tried again',
  async (status) => {
    const { uploads, states } = make();
    uploads.add(CHAT, [file('a.txt')]);
    await settled();
    await lastRequest().answer(status);
    uploads.again();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(FakeRequest.sent).toHaveLength(1);
    expect(states()).toEqual(['refused']);
  },
);

test('an upload without progress for half a minute is retried', async () => {
  const { uploads } = make();
  uploads.add(CHAT, [file('a.txt')]);
  await settled();
  await vi.advanceTimersByTimeAsync(20_000);
  lastRequest().upload.onprogress?.({ loaded: 1, total: 3 });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(FakeRequest.sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(FakeRequest.sent).toHaveLength(2);
});

test('a file that was sent while uploading is sent automatically once it has arrived', async () => {
  const { uploads, arrived, kept, states } = make();
  uploads.add(CHAT, [file('ready.txt'), file('slow.txt')]);
  await settled();
  await FakeRequest.sent[0]?.answer(201);
  expect(uploads.send(CHAT).map(({ name }) => name)).toEqual(['ready.txt']);
  expect(states()).toEqual(['uploading']);
  expect([...kept.values()]).toEqual([{ chat: CHAT, goes: true }]);
  await FakeRequest.sent[1]?.answer(201);
  expect(arrived).toMatchObject([[CHAT, { name: 'slow.txt', size: 3 }]]);
  expect([states(), kept.size]).toEqual([[], 0]);
});
