import { OPERATIONS } from './operations.ts';
import { type Answered, type Outgoing, send } from './request.ts';
import { withRetries } from './retry.ts';
import { type StreamOptions, streamEvents } from './stream.ts';
import type { CallOptions, FoyerClient, Page } from './types.ts';

export interface ClientOptions {
  /** Where your Foyer runs, for example `https://chat.example.com`. */
  baseUrl: string;
  /** An API token, `foy_…`. It is sent to `baseUrl` alone, and written nowhere. */
  token: string;
  /** Milliseconds for each try. Default 30,000. */
  timeoutMs?: number;
  /** How often a request that may succeed later is sent again. Default 3. */
  retries?: number;
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch;
}

interface Operation {
  name: string;
  /** Where it isn't the first part of the name. */
  resource?: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  answers: 'one' | 'page' | 'both';
  query?: readonly string[];
}
type Input = Readonly<Record<string, unknown>>;
type Call = (operation: Operation, input: Input, options: CallOptions) => Promise<Answered>;

/** `all` reads pages as large as they come (docs/rest, "Lists"). */
const LARGEST_PAGE = 200;

function addressOf(baseUrl: string): string {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    throw new TypeError('baseUrl must be an address such as https://chat.example.com');
  }
  return baseUrl.replace(/(?<!\/)\/+$/, '');
}

/** A GET changes nothing, and a POST has its key; whether a PATCH or DELETE was done before, only its caller can say. */
const isRepeatable = (method: Operation['method']): boolean => method === 'GET' || method === 'POST';

/** Lists are JSON in a query, too. */
const textOf = (value: unknown): string => (Array.isArray(value) ? JSON.stringify(value) : String(value));

function requestOf(base: string, token: string, operation: Operation, input: Input, key: string): Outgoing {
  const { name, method, query = [] } = operation;
  const resource = operation.resource ?? name.split('.')[0];
  const hasBody = method === 'POST' || method === 'PATCH';
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const inQuery = given.filter(([name]) => !hasBody || query.includes(name));
  const search = new URLSearchParams(
    inQuery.map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString();
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  if (method === 'POST') headers['Idempotency-Key'] = key;
  const url = `${base}/v1/${resource}${search ? `?${search}` : ''}`;
  if (!hasBody) return { url, method, headers };
  headers['Content-Type'] = 'application/json';
  const body = Object.fromEntries(given.filter(([name]) => !query.includes(name)));
  return { url, method, headers, body: JSON.stringify(body) };
}

function callerOf({ baseUrl, token, timeoutMs = 30_000, retries = 3, fetch }: ClientOptions): Call {
  const base = addressOf(baseUrl);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token must be an API token (foy_…)');
  return (operation, input, { signal, idempotencyKey = crypto.randomUUID(), ...own }) => {
    const request = requestOf(base, token, operation, input, idempotencyKey);
    const settings = { timeoutMs: own.timeoutMs ?? timeoutMs, signal, fetch: fetch ?? globalThis.fetch };
    return withRetries(() => send(request, settings), {
      retries: own.retries ?? retries,
      signal,
      repeatable: isRepeatable(operation.method),
    });
  };
}

function listsOf(call: Call, operation: Operation) {
  const list = async (input: Input = {}, options: CallOptions = {}): Promise<Page<unknown>> => {
    const { data, nextCursor } = await call(operation, input, options);
    return { items: Array.isArray(data) ? data : [], nextCursor };
  };
  async function* all(
    input: Input = {},
    options: CallOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await list({ limit: LARGEST_PAGE, ...input, cursor }, options);
      yield* page.items;
      cursor = page.nextCursor;
    }
  }
  return { list, all };
}

const oneOf =
  (call: Call, operation: Operation) =>
  async (input: Input = {}, options: CallOptions = {}): Promise<unknown> =>
    (await call(operation, input, options)).data;

function resourceOf(call: Call, methods: Readonly<Record<string, Operation>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [verb, operation] of Object.entries(methods)) {
    if (operation.answers === 'one') found[verb] = oneOf(call, operation);
    else Object.assign(found, listsOf(call, operation));
    if (operation.answers === 'both') found.get = oneOf(call, operation);
  }
  return found;
}

/**
 * A client of the REST API for Node and browsers, on plain `fetch`.
 *
 *     const foyer = createClient({ baseUrl: 'https://chat.example.com', token });
 *     for await (const handoff of foyer.handoffs.all({ since: '2026-03-01' })) …
 */
export function createClient(options: ClientOptions): FoyerClient {
  const call = callerOf(options);
  const resources = Object.entries(OPERATIONS).map(([name, methods]) => [name, resourceOf(call, methods)]);
  const place = { base: addressOf(options.baseUrl), token: options.token };
  const stream = (wanted: StreamOptions = {}) =>
    streamEvents({ ...place, fetch: options.fetch ?? globalThis.fetch }, wanted);
  return { ...Object.fromEntries(resources), stream } as FoyerClient;
}
