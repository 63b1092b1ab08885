import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeStorage } from '../../test/fake-storage.ts';
import { CallError } from './connection/calls.ts';
import { createOutbox, type OutboxEntry } from './outbox.ts';
import { createStorage, type Storage } from './storage.ts';

const SESSION = 'ses_aaaaaaaaaaaaaaaaaaaaaa';
const GONE = 'ses_bbbbbbbbbbbbbbbbbbbbbb';
const OTHER = 'ses_cccccccccccccccccccccc';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const makeStorage = (isFull = false): Storage => {
  const values = fakeStorage(isFull);
  return createStorage('foyer.x.', () => values);
};
const entry = (clientId: string, chat = 'new:1', sessionId: string | null = null): OutboxEntry => ({
  client_id: clientId,
  chat,
  session_id: sessionId,
  kind: 'message',
  text: `text of ${clientId}`,
  page_url: '',
  created_utc: '2026-01-01T10:00:00.000Z',
});

type Send = (entry: OutboxEntry) => Promise<string>;

const make = (send: Send, storage = makeStorage()) => {
  const moves: [string, string][] = [];
  const outbox = createOutbox({
    storage,
    send,
    alone: (run) => run(),
    onChange: () => {},
    onMove: (chat, to) => moves.push([chat, to]),
  });
  return { outbox, storage, moves };
};
const settled = () => vi.advanceTimersByTimeAsync(0);

test('one is sent at a time, in the order written, and only the first begins a session', async () => {
  const sent: [string, string | null][] = [];
  const answers: ((sessionId: string) => void)[] = [];
  const { outbox, moves } = make((one) => {
    sent.push([one.client_id, one.session_id]);
    return new Promise((resolve) => answers.push(resolve));
  });
  outbox.add(entry('a'));
  outbox.add(entry('b'));
  await settled();
  expect(sent).toEqual([['a', null]]);
  answers[0]?.(SESSION);
  await settled();
  expect(sent).toEqual([
    ['a', null],
    ['b', SESSION],
  ]);
  answers[1]?.(SESSION);
  await settled();
  expect(outbox.entries()).toEqual([]);
  expect(moves).toEqual([['new:1', SESSION]]);
});

test('a lost connection keeps everything, with the same ids, for the next try', async () => {
  let isBroken = true;
  const sent: string[] = [];
  const { outbox, storage } = make(async (one) => {
    sent.push(one.client_id);
    if (isBroken) throw new CallError('disconnected', 'gone');
    return SESSION;
  });
  outbox.add(entry('a'));
  outbox.add(entry('b'));
  await settled();
  const kept = outbox.entries().map((one) => one.client_id);
  expect(kept).toEqual(['a', 'b']);
  // A reload: another outbox on the same storage.
  isBroken = false;
  const again = make(async (one) => {
    sent.push(one.client_id);
    return SESSION;
  }, storage);
  again.outbox.pump();
  await settled();
  expect(sent.slice(-2)).toEqual(['a', 'b']);
  expect(again.outbox.entries()).toEqual([]);
});

test('a refused message waits for the visitor and does not block the next one', async () => {
  const { outbox } = make(async (one) => {
    if (one.client_id === 'bad') throw new CallError('invalid_input', 'too long');
    return SESSION;
  });
  outbox.add(entry('bad'));
  outbox.add(entry('good'));
  await settled();
  expect(outbox.entries()).toMatchObject([{ client_id: 'bad', refused: 'too long' }]);
  outbox.remove('bad');
  expect(outbox.entries()).toEqual([]);
});

test('a refused message is sent again when the visitor retries it', async () => {
  let isRefused = true;
  const { outbox } = make(async () => {
    if (isRefused) throw new CallError('conflict', 'no');
    return SESSION;
  });
  outbox.add(entry('a'));
  await settled();
  isRefused = false;
  outbox.retry('a');
  await settled();
  expect(outbox.entries()).toEqual([]);
});

test('a temporary error is retried automatically', async () => {
  let tries = 0;
  const { outbox } = make(async () => {
    tries++;
    if (tries < 3) throw new CallError('unavailable', 'later');
    return SESSION;
  });
  outbox.add(entry('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(3);
  expect(outbox.entries()).toEqual([]);
});

/** How long after the previous try each try began, in ms; the first at 0. */
const waitsOf = async (code: CallError['code'], tries: number): Promise<number[]> => {
  const times = [Date.now()];
  const { outbox } = make(async () => {
    times.push(Date.now());
    if (times.length <= tries) throw new CallError(code, 'later');
    return SESSION;
  });
  outbox.add(entry('a'));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(outbox.entries()).toEqual([]);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
};

test('each try waits longer than the one before, up to half a minute', async () => {
  expect(await waitsOf('internal', 8)).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('after a success the pauses begin again from the shortest', async () => {
  const times: number[] = [];
  const answers = ['bad', 'bad', 'good', 'bad', 'good'];
  const { outbox } = make(async () => {
    times.push(Date.now());
    if (answers.shift() === 'bad') throw new CallError('unavailable', 'later');
    return SESSION;
  });
  outbox.add(entry('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  outbox.add(entry('b'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(times).toHaveLength(5);
  expect((times[4] ?? 0) - (times[3] ?? 0)).toBe(1_000);
});

test.each(['unavailable', 'internal', 'rate_limited'] as const)(
  'a message that is answered %s is not refused, and is retried automatically',
  async (code) => {
    let isLate = true;
    const { outbox } = make(async () => {
      if (isLate) throw new CallError(code, 'later');
      return SESSION;
    });
    outbox.add(entry('a'));
    await settled();
    expect(outbox.entries()).toEqual([entry('a')]);
    isLate = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outbox.entries()).toEqual([]);
  },
);

test('messages for a chat that is gone begin a new one, together and in order', async () => {
  const sent: [string, string | null][] = [];
  const { outbox, moves } = make(async ({ client_id, session_id }) => {
    sent.push([client_id, session_id]);
    if (session_id === GONE) throw new CallError('not_found', 'No such chat.');
    return SESSION;
  });
  outbox.add(entry('a', GONE, GONE));
  outbox.add(entry('b', GONE, GONE));
  outbox.add(entry('c', OTHER, OTHER));
  await settled();
  expect(sent).toEqual([
    ['a', GONE],
    ['a', null],
    ['b', SESSION],
    ['c', OTHER],
  ]);
  expect(moves).toEqual([
    [GONE, expect.stringMatching(/^new:/)],
    [moves[0]?.[1], SESSION],
    [OTHER, SESSION],
  ]);
  expect(outbox.entries()).toEqual([]);
});

test('a message that a new chat refuses too waits for the visitor, and is not retried for ever', async () => {
  let tries = 0;
  const { outbox } = make(async () => {
    tries++;
    throw new CallError('not_found', 'No such file.');
  });
  outbox.add(entry('a', GONE, GONE));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(tries).toBe(2);
  expect(outbox.entries()).toMatchObject([
    { client_id: 'a', chat: expect.stringMatching(/^new:/), refused: 'No such file.' },
  ]);
});

test('full storage: it works in memory', async () => {
  const { outbox } = make(async () => {
    throw new CallError('disconnected', 'gone');
  }, makeStorage(true));
  expect(outbox.add(entry('a'))).toBe(true);
  expect(outbox.entries()).toHaveLength(1);
  expect(outbox.isFleeting()).toBe(true);
});

test('a full outbox accepts no more messages, and says so', () => {
  const { outbox } = make(() => new Promise(() => {}));
  for (let index = 0; index < 200; index++) expect(outbox.add(entry(`c${index}`))).toBe(true);
  expect(outbox.add(entry('one too many'))).toBe(false);
});

test('nonsense in storage is ignored', () => {
  const storage = makeStorage();
  for (const [index, nonsense] of [null, 7, { client_id: 1 }, entry('a')].entries())
    storage.write(`outbox.${index}`, nonsense);
  const { outbox } = make(() => new Promise(() => {}), storage);
  expect(outbox.entries()).toEqual([entry('a')]);
});

test('an entry that another tab sent meanwhile is not sent again', async () => {
  const storage = makeStorage();
  let release = () => {};
  const lock = new Promise<void>((resolve) => (release = resolve));
  const sent: string[] = [];
  const outbox = createOutbox({
    storage,
    send: async (one) => {
      sent.push(one.client_id);
      return SESSION;
    },
    alone: (run) => lock.then(run),
    onChange: () => {},
    onMove: () => {},
  });
  outbox.add(entry('a'));
  storage.write('outbox.a', undefined);
  release();
  await settled();
  expect(sent).toEqual([]);
});

test('messages of two tabs at the same moment are kept, and sent in the order in which they were written', async () => {
  const storage = makeStorage();
  const sent: string[] = [];
  const send: Send = async (one) => {
    sent.push(one.client_id);
    return SESSION;
  };
  const [one, other] = [make(() => new Promise(() => {}), storage), make(send, storage)];
  one.outbox.add(entry('0002'));
  other.outbox.add(entry('0001'));
  await settled();
  expect(sent).toEqual(['0001', '0002']);
  expect(one.outbox.entries()).toEqual([]);
});
