import { expect } from 'vitest';
import type { Json } from './app.ts';
import { type Block, type CurlCall, readCurl, type Section } from './doc-pages.ts';
import type { KnownIds } from './doc-story.ts';

/** An example: a `sh` block with one `curl`, and the `json` block of its response. */
export interface Example {
  command: string;
  answer: string;
  status: number;
}

const isCurl = ({ language, text }: Block): boolean => language === 'sh' && text.startsWith('curl ');

/** Each `curl` of a section with its response; one without is an error. */
export function examplesOf({ title, blocks }: Pick<Section, 'title' | 'blocks'>): Example[] {
  return blocks.flatMap((block, at): Example[] => {
    if (!isCurl(block)) return [];
    const answer = blocks[at + 1];
    if (answer?.language !== 'json') throw new Error(`${title}: no answer stands behind ${block.text}`);
    return [{ command: block.text, answer: answer.text, status: Number(answer.info || 200) }];
  });
}

/** Differs from run to run: ids, times and random values. */
const VOLATILE =
  /(^|_)(id|utc)$|^(secret|secret_hint|token|next_cursor|duration_ms|request_count|RateLimit-\w+|Retry-After)$|^x-service-(delivery|signature)$|^webhook-(id|timestamp|signature)$/;

/** A link whose address contains a random key. */
const isKeyedLink = (value: unknown): boolean =>
  typeof value === 'string' && /\/(portal|attachments|mail\/in)\//.test(value);

/** The kind of an id by field name: the resource that has the record, or `session` and `cursor`. */
const KINDS: Readonly<Record<string, string>> = {
  subscription_id: 'webhook_subscriptions',
  session_id: 'session',
  sessionId: 'session',
  next_cursor: 'cursor',
  cursor: 'cursor',
  ticket_id: 'tickets',
  macro_id: 'macros',
  view: 'saved_views',
  segment: 'segments',
  assignee_id: 'agents',
  agent_id: 'agents',
};

/** Fields with ids of the resource itself. */
const IDS = new Set(['id', 'ids', 'succeeded']);

const kindOf = (field: string, resource: string): string | undefined =>
  IDS.has(field) ? resource : KINDS[field];

export interface Ran {
  call: CurlCall;
  resource: string;
  status: number;
  /** The response as received. */
  body: Json;
}

interface PageOptions {
  variables: Record<string, string>;
  /** Addresses on the page and their replacements in the test. */
  addresses: Record<string, string>;
  /** Ids that a request names before a response shows them (doc-story.ts). */
  known?: KnownIds;
}

/**
 * Runs the examples of a page in order. An id on the page is replaced by the real one from the first response that
 * shows it, so that a later request or response with the same id must be about the same record.
 */
export class PageRunner {
  readonly ran: Ran[] = [];
  readonly #options: PageOptions;
  readonly #known = new Map<string, unknown>();
  /** For each kind, the ids that no request has named yet. */
  readonly #offered: Map<string, (number | string)[]>;

  constructor(options: PageOptions) {
    this.#options = options;
    this.#offered = new Map(Object.entries(options.known ?? {}).map(([kind, ids]) => [kind, [...ids]]));
  }

  /** @throws an assertion error if status, keys, types or fixed values of the response differ from the page's. */
  async run({ command, answer, status }: Example): Promise<Ran> {
    const ran = await this.send(command);
    expect(ran.status, `${command}\n${JSON.stringify(ran.body, null, 2)}`).toBe(status);
    this.#compare(JSON.parse(answer), ran.body, ran.resource, '');
    return ran;
  }

  /** Sends a command of the page with the real ids. */
  async send(command: string): Promise<Ran> {
    const call = readCurl(this.#toReal(command), this.#options.variables);
    const resource = call.url.searchParams.get('resource') ?? call.url.pathname.split('/')[2] ?? '';
    for (const [name, value] of [...call.url.searchParams]) {
      call.url.searchParams.set(
        name,
        String(this.#real(name, resource, /^\d+$/.test(value) ? +value : value)),
      );
    }
    if (call.body?.startsWith('{')) {
      const fields = Object.entries<unknown>(JSON.parse(call.body));
      const real = fields.map(([name, value]) => [name, this.#real(name, resource, value)]);
      call.body = JSON.stringify(Object.fromEntries(real));
    }
    const { method, headers, body = null } = call;
    const response = await fetch(call.url, { method, headers, body });
    const ran = {
      call,
      resource,
      status: response.status,
      body: JSON.parse(this.#toPage(await response.text())),
    };
    this.ran.push(ran);
    return ran;
  }

  #toReal(text: string): string {
    return Object.entries(this.#options.addresses).reduce(
      (all, [page, real]) => all.replaceAll(page, real),
      text,
    );
  }

  #toPage(text: string): string {
    return Object.entries(this.#options.addresses).reduce(
      (all, [page, real]) => all.replaceAll(real, page),
      text,
    );
  }

  #real(field: string, resource: string, value: unknown): unknown {
    const kind = kindOf(field, resource);
    if (kind === undefined || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.#real(field, resource, one));
    // `id` of a body names a record of its resource; an id that no response has shown is sent as it is.
    const name = `${kind} ${value}`;
    const offered = this.#known.has(name) ? undefined : this.#offered.get(kind)?.shift();
    if (offered !== undefined) this.#known.set(name, offered);
    return this.#known.get(name) ?? value;
  }

  /** From here to the end of the page, the id on it is replaced by this real one. */
  #learn(kind: string, onPage: unknown, real: unknown, path: string): void {
    const name = `${kind} ${onPage}`;
    if (!this.#known.has(name)) this.#known.set(name, real);
    expect(real, `${path}: the page's ${name} is another record here`).toEqual(this.#known.get(name));
  }

  #compare(page: Json, real: Json, resource: string, path: string): void {
    if (typeof page !== 'object' || page === null) {
      expect(real, path).toEqual(page);
      return;
    }
    expect(
      typeof real === 'object' && real !== null && Array.isArray(real) === Array.isArray(page),
      path,
    ).toBe(true);
    expect(Object.keys(real), `the fields of ${path || 'the answer'}`).toEqual(Object.keys(page));
    for (const [field, value] of Object.entries<Json>(page)) {
      const at = `${path}.${field}`;
      if (IDS.has(field) && Array.isArray(value)) {
        expect(real[field], at).toEqual(this.#real(field, resource, value));
        continue;
      }
      const isVolatile = VOLATILE.test(field) || isKeyedLink(value);
      if (!isVolatile || typeof value === 'object') this.#compare(value, real[field], resource, at);
      else {
        expect(typeof real[field], at).toBe(typeof value);
        const kind = kindOf(field, resource);
        const isRecord = field !== 'id' || /^\.data(\.\d+)?$/.test(path);
        if (kind !== undefined && isRecord) this.#learn(kind, value, real[field], at);
      }
    }
  }
}
