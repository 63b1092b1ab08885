import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api.ts';
import { memoryStore, type Store } from '../storage.ts';
import { Outbox, type Outgoing } from './outbox.ts';

type Send = (item: Outgoing) => Promise<void>;
const outbox = (send: Send, store: Store = memoryStore()): Outbox => new Outbox({ store, agentId: 1, send });
const never: Send = () => new Promise(() => {});
const states = (box: Outbox): string[] => box.items.map((item) => item.state);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a message is pending until the server has it', async () => {
  let commit = (): void => {};
  const box = outbox(() => new Promise((resolve) => (commit = resolve)));
  box.add({ place: 'a', kind: 'reply', text: 'Hello' });
  expect(states(box)).toEqual(['pending']);
  commit();
  await vi.waitFor(() => expect(states(box)).toEqual(['sent']));
});

test('an unacknowledged message survives a reload and is sent with the same id', async () => {
  const store = memoryStore();
  const first = outbox(never, store);
  const { client_id } = first.add({ place: 'a', kind: 'reply', text: 'Hello' });
  const sent: string[] = [];
  const second = outbox(async (item) => void sent.push(item.client_id), store);
  expect(states(second)).toEqual(['pending']);
  second.flush();
  await vi.waitFor(() => expect(sent).toEqual([client_id]));
});

test('an acknowledged message is not kept', async () => {
  const store = memoryStore();
  const box = outbox(async () => {}, store);
  box.add({ place: 'a', kind: 'reply', text: 'Hello' });
  await vi.waitFor(() => expect(states(box)).toEqual(['sent']));
  expect(outbox(never, store).items).toEqual([]);
});

test('messages of one chat are sent in order, one at a time', async () => {
  const sent: string[] = [];
  const box = outbox(async (item) => void sent.push(item.text));
  for (const text of ['one', 'two', 'three']) box.add({ place: 'a', kind: 'reply', text });
  await vi.waitFor(() => expect(sent).toEqual(['one', 'two', 'three']));
});

test('without a network messages wait, and keep their order', async () => {
  const sent: string[] = [];
  let away = true;
  const box = outbox(async (item) => {
    if (away) throw new ApiError('network', 'away');
    sent.push(item.text);
  });
  box.add({ place: 'a', kind: 'reply', text: 'one' });
  box.add({ place: 'a', kind: 'reply', text: 'two' });
  await vi.advanceTimersByTimeAsync(10);
  expect(states(box)).toEqual(['pending', 'pending']);
  away = false;
  box.flush();
  await vi.waitFor(() => expect(sent).toEqual(['one', 'two']));
});

test('it retries automatically, without a reconnect', async () => {
  let tries = 0;
  const box = outbox(async () => {
    tries += 1;
    if (tries === 1) throw new ApiError('unavailable', 'down');
  });
  box.add({ place: 'a', kind: 'reply', text: 'one' });
  await vi.advanceTimersByTimeAsync(4000);
  expect(states(box)).toEqual(['sent']);
});

test('a refusal is final until somebody tries again, and does not block the next message', async () => {
  let refuse = true;
  const box = outbox(async (item) => {
    if (item.text === 'bad' && refuse) throw new ApiError('conflict', 'The chat is closed.');
  });
  const bad = box.add({ place: 'a', kind: 'reply', text: 'bad' });
  box.add({ place: 'a', kind: 'reply', text: 'good' });
  await vi.waitFor(() => expect(states(box)).toEqual(['failed', 'sent']));
  expect(box.items[0]).toMatchObject({ error: 'The chat is closed.' });
  refuse = false;
  box.tryAgain(bad.client_id);
  await vi.waitFor(() => expect(states(box)).toEqual(['sent', 'sent']));
});

test('a message that a colleague’s reply has stopped is sent at the second try', async () => {
  const seen: (number | undefined)[] = [];
  const box = outbox(async (item) => {
    seen.push(item.seen);
    if (item.seen !== undefined) throw new ApiError('conflict', 'Ben has answered meanwhile.');
  });
  const { client_id } = box.add({ place: 'a', kind: 'reply', text: 'Hello', seen: 4 });
  await vi.waitFor(() => expect(states(box)).toEqual(['failed']));
  box.tryAgain(client_id);
  await vi.waitFor(() => expect(states(box)).toEqual(['sent']));
  expect(seen).toEqual([4, undefined]);
});

test('one chat that cannot send does not block another', async () => {
  const sent: string[] = [];
  const box = outbox(async (item) => {
    if (item.place === 'a') return never(item);
    sent.push(item.text);
  });
  box.add({ place: 'a', kind: 'reply', text: 'stuck' });
  box.add({ place: 'b', kind: 'note', text: 'free' });
  await vi.waitFor(() => expect(sent).toEqual(['free']));
});

test('signed out, it keeps what was written', async () => {
  const box = outbox(async () => {
    throw new ApiError('unauthorized', 'Sign in.');
  });
  box.add({ place: 'a', kind: 'reply', text: 'Hello' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(states(box)).toEqual(['pending']);
});

test('a discarded message is gone', () => {
  const store = memoryStore();
  const box = outbox(never, store);
  box.discard(box.add({ place: 'a', kind: 'reply', text: 'Hello' }).client_id);
  expect(outbox(never, store).items).toEqual([]);
});

test('two tabs of one browser keep what the other has not sent yet', async () => {
  const store = memoryStore();
  const [one, two] = [outbox(never, store), outbox(async () => {}, store)];
  const { client_id } = one.add({ place: 'a', kind: 'reply', text: 'Hello' });
  two.add({ place: 'b', kind: 'reply', text: 'Good day' });
  await vi.waitFor(() => expect(states(two)).toEqual(['sent']));
  expect(outbox(never, store).items).toMatchObject([{ client_id }]);
});

test('sending continues if the agent signs in again before the refusal arrives', async () => {
  let refuse = (_error: ApiError): void => {};
  const sent: string[] = [];
  const box = outbox((item) =>
    sent.push(item.text) === 1 ? new Promise((_resolve, reject) => (refuse = reject)) : Promise.resolve(),
  );
  box.add({ place: 'a', kind: 'reply', text: 'Hello' });
  box.flush();
  refuse(new ApiError('unauthorized', 'Sign in.'));
  await vi.waitFor(() => expect(states(box)).toEqual(['sent']));
});

test('a stopped desk sends nothing until it is started again', async () => {
  let fail = (_error: ApiError): void => {};
  const sent: string[] = [];
  const box = outbox((item) => {
    sent.push(item.text);
    return new Promise((_resolve, reject) => (fail = reject));
  });
  for (const text of ['one', 'two']) box.add({ place: 'a', kind: 'reply', text });
  box.stop();
  fail(new ApiError('conflict', 'The chat is closed.'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(['one']);
  box.flush();
  fail(new ApiError('network', 'away'));
  box.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(['one', 'two']);
});
