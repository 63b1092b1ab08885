import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, call, callPage, callPages } from './api.ts';
import { speak } from './language.ts';

beforeAll(() => speak('en'));

const answer = (body: unknown, status = 200): void => {
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
};
const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error('expected an ApiError');
};

afterEach(() => vi.unstubAllGlobals());

test('a call posts its input as JSON to the path of its operation', async () => {
  let seen: { path: unknown; init: RequestInit | undefined } | undefined;
  vi.stubGlobal('fetch', async (path: unknown, init?: RequestInit) => {
    seen = { path, init };
    return Response.json({ ok: true, data: { waiting: 1, mine: 2, open: 3 }, request_id: 'r1' });
  });
  expect(await call('inbox.counts', {})).toEqual({ waiting: 1, mine: 2, open: 3 });
  expect(seen?.path).toBe('/app/api/inbox.counts');
  expect(seen?.init?.method).toBe('POST');
  expect(seen?.init?.body).toBe('{}');
});

test('a page comes with its cursor', async () => {
  answer({ ok: true, data: [{ id: 1 }], page: { limit: 50, next_cursor: 'c2' }, request_id: 'r' });
  expect(await callPage('tags.list', {})).toEqual({ items: [{ id: 1 }], next_cursor: 'c2' });
});

test('the last page has no cursor', async () => {
  answer({ ok: true, data: [], page: { limit: 50, next_cursor: null }, request_id: 'r' });
  expect(await callPage('tags.list', {})).toEqual({ items: [], next_cursor: null });
});

test('a list that is shown without pages is loaded to its end', async () => {
  const cursors: unknown[] = [];
  vi.stubGlobal('fetch', async (_: unknown, init?: RequestInit) => {
    const { cursor } = JSON.parse(String(init?.body));
    cursors.push(cursor);
    const page = { limit: 200, next_cursor: cursor ? null : 'c2' };
    return Response.json({ ok: true, data: [{ id: cursors.length }], page, request_id: 'r' });
  });
  expect(await callPages('tags.list', {})).toEqual({ items: [{ id: 1 }, { id: 2 }] });
  expect(cursors).toEqual([undefined, 'c2']);
});

test('an error keeps its code, its request id and the message for each field', async () => {
  answer(
    {
      ok: false,
      error: {
        code: 'invalid_input',
        message: 'The input is wrong.',
        request_id: 'req_7',
        issues: [{ path: 'email', message: 'must be an email address' }],
      },
    },
    400,
  );
  const error = await failure(call('agents.invite', { email: 'x' }));
  expect(error.code).toBe('invalid_input');
  expect(error.requestId).toBe('req_7');
  // The agent can fix this without the log.
  expect(error.reference).toBe('');
  expect(error.issue('email')).toBe('must be an email address');
  expect(error.issue('role')).toBeUndefined();
  expect(error.passes).toBe(false);
});

describe('the message of an error', () => {
  const refused = async (error: object): Promise<ApiError> => {
    answer({ ok: false, error: { message: 'In English.', request_id: 'r', ...error } }, 409);
    return failure(call('me.get', {}));
  };
  afterEach(() => speak('en'));

  test('comes from its reason, in the agent’s language, with names and numbers', async () => {
    await speak('de');
    const state = { code: 'conflict', reason: 'ticket_state', values: { from: 'closed', to: 'open' } };
    expect((await refused(state)).message).toBe(
      'Ein Ticket kann nicht von „Geschlossen“ zu „Offen“ wechseln.',
    );
    const held = { code: 'conflict', reason: 'chat_held', values: { name: '' } };
    expect((await refused(held)).message).toBe(
      'Ein anderer Agent hat diesen Chat. Übernehmen Sie ihn zuerst.',
    );
  });

  test('comes from its code if the reason is unknown, and in English from the server', async () => {
    const odd = { code: 'conflict', reason: 'of_a_newer_server' };
    expect((await refused(odd)).message).toBe('In English.');
    await speak('de');
    expect((await refused(odd)).message).toMatch(/^Inzwischen hat sich etwas geändert/);
  });

  test('is translated for each field', async () => {
    await speak('de');
    const issues = [
      { path: 'name', message: 'must be at most 50 characters', reason: 'too_long', values: { count: 50 } },
      { path: 'odd', message: 'must be even' },
    ];
    const error = await refused({ code: 'invalid_input', issues });
    expect(error.issue('name')).toBe('darf höchstens 50 Zeichen haben');
    expect(error.issue('odd')).toBe('ist ungültig');
  });
});

test('no response at all is a network error that may pass', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const error = await failure(call('me.get', {}));
  expect(error.code).toBe('network');
  expect(error.passes).toBe(true);
});

test('an error page of a proxy in front of a server that is down keeps the header’s id', async () => {
  vi.stubGlobal('fetch', async () => {
    return new Response('<html>Bad gateway</html>', {
      status: 502,
      headers: { 'X-Service-Request-Id': 'req_9' },
    });
  });
  const error = await failure(call('me.get', {}));
  expect(error.code).toBe('unavailable');
  expect(error.requestId).toBe('req_9');
  expect(error.reference).toBe('req_9');
});

test('JSON without the envelope is an error, not data', async () => {
  answer({ hello: 'world' });
  expect((await failure(call('me.get', {}))).code).toBe('internal');
  answer(null);
  expect((await failure(call('me.get', {}))).code).toBe('internal');
});

test('an aborted call throws an AbortError', async () => {
  vi.stubGlobal('fetch', (_path: unknown, init?: RequestInit) => {
    const { signal } = init ?? {};
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const givenUp = new AbortController();
  const asked = call('inbox.counts', {}, givenUp.signal);
  givenUp.abort();
  await expect(asked).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});

describe('a call to a server that hangs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', (_path: unknown, init?: RequestInit) => {
      const { signal } = init ?? {};
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
  });
  afterEach(() => vi.useRealTimers());
  const within = async (asked: Promise<unknown>, ms: number): Promise<string | undefined> => {
    let error: unknown;
    asked.catch((reason: unknown) => {
      error = reason;
    });
    await vi.advanceTimersByTimeAsync(ms);
    return error instanceof ApiError && error.passes ? error.message : undefined;
  };
  const UNREACHABLE = /^Can’t reach the server/;

  test('times out early if it can be repeated: a query, or a write with an id', async () => {
    const asked = call('inbox.counts', {}, new AbortController().signal);
    expect(await within(asked, 10_000)).toMatch(UNREACHABLE);
    const said = call('sessions.reply', { session_id: 's', client_id: 'c', text: 'Hello' });
    expect(await within(said, 10_000)).toMatch(UNREACHABLE);
  });

  test('times out later for any other write, and says that it may have been saved', async () => {
    const made = call('tags.create', { name: 'refund' });
    expect(await within(made, 30_000)).toBeUndefined();
    expect(await within(made, 30_000)).toMatch(/may have been saved/);
  });

  test('has more time if a language model answers', async () => {
    const asked = call('copilot.summarise', { session_id: 's' }, new AbortController().signal);
    expect(await within(asked, 30_000)).toBeUndefined();
    expect(await within(asked, 30_000)).toMatch(UNREACHABLE);
  });

  test('also times out in the middle of the response', async () => {
    vi.stubGlobal('fetch', async (_path: unknown, { signal }: RequestInit = {}) => {
      const body = new ReadableStream({
        start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
      });
      return new Response(body);
    });
    const asked = call('inbox.counts', {}, new AbortController().signal);
    expect(await within(asked, 30_000)).toBeUndefined();
    expect(await within(asked, 30_000)).toMatch(UNREACHABLE);
  });
});

test('an error is only of some fields if all its issues are at them', () => {
  const refused = (...paths: string[]) =>
    new ApiError(
      'invalid_input',
      'Refused',
      'r',
      paths.map((path) => ({ path, message: 'must be another' })),
    );
  expect(refused('name', 'origins.1').isOnlyOf(['name', 'origins'])).toBe(true);
  expect(refused('name', 'sound').isOnlyOf(['name'])).toBe(false);
  expect(refused('names').isOnlyOf(['name'])).toBe(false);
  expect(refused().isOnlyOf(['name'])).toBe(false);
});
