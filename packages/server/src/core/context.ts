import type { Plan, ServerFrame } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import type { Replica } from '../db/replica/replica.ts';
import type { Actor } from './actor.ts';
import type { Change, DomainEvent, EmitScope, RuleCause } from './domain-event.ts';
import type { PlainEvent } from './event-batch.ts';
import type { Emitted } from './events.ts';
import type { JobData, JobName, JobOptions } from './job-data.ts';
import type { StoredAddress } from './public-address.ts';

export interface Site {
  readonly id: number;
  readonly plan: Plan;
}

/** Frames about a passing state, which are never stored. */
export type PassingFrame = Extract<ServerFrame, { type: 'typing' | 'answering' }>;

/** Which agents of a site have the desk open, on any node. Never stored. */
export interface Presence {
  onlineAgents(siteId: number): Promise<number[]>;
}

/**
 * The actions that are rate limited per minute: everything that strangers create at the public entry points, and
 * agents' questions in Try the bot.
 */
export type Admitted = 'greeting' | 'visitor' | 'chat' | 'message' | 'trial';

/** Whether the caller solves challenges: not at all, it can, or it has just solved one for this call. */
export type Proof = 'none' | 'possible' | 'given';

/** Derives tokens that must be the same when the work is repeated, without storing them. */
export interface TokenDeriver {
  /** The token by the current secret: 43 characters of base64url. */
  (purpose: string): string;
  /** The tokens by each known secret, the current one's first, so that tokens from before a rotation stay valid. */
  all(purpose: string): readonly string[];
}

/**
 * What a domain needs from its process. A domain adds its own service to this interface with `declare module`, beside
 * the type of the service, so that the core doesn't depend on domains.
 */
export interface Services {
  readonly address: StoredAddress;
  readonly presence: Presence;
  /** Whether a desk of the site is open on any process, as far as this one knows: its lists show the chats that change. */
  readonly desks: { areOpen(siteId: number): Promise<boolean> };
  /** Encrypts secrets that must be readable again, such as webhook secrets. */
  readonly vault: { seal(text: string): Buffer; open(sealed: Buffer): string };
  readonly webhooks: { readonly allowPrivate: boolean };
  /** A signed link to a file, valid for 24 hours from `now`: to its download, or to the image itself. */
  attachmentUrl(siteId: number, id: number, now: Date, form?: 'image'): string;
  /**
   * Shows a passing state to everyone who follows a chat: that the bot is writing, and the text so far. Never stored.
   */
  readonly passing: { show(siteId: number, frame: PassingFrame): void };
  /**
   * The same value for the same purpose every time, unpredictable without the secret: 43 characters of base64url.
   * Compare returned values with `all`, so that they stay valid while the secret is rotated.
   */
  readonly derivedToken: TokenDeriver;
  /**
   * Counts an action of a caller against the limits of its address and of the site (`limits/public-limits`). Calls
   * without an address, such as the demo's, aren't counted.
   * @param visitor who sends a message: an id that they can't change at will
   * @throws AppError 429 with `retry-after`; solvable, if the caller may continue by solving a challenge
   */
  admit(
    from: Pick<SiteContext, 'site' | 'caller' | 'proof'>,
    what: Admitted,
    visitor?: string,
  ): Promise<void>;
}

/** Everything a domain function gets: one site, one actor, one clock. Nothing of HTTP. */
export interface SiteContext {
  readonly site: Site;
  readonly actor: Actor;
  readonly db: Db;
  readonly log: Logger;
  readonly services: Services;
  /** The key that limits count the caller by; undefined for callers without a network address. */
  readonly caller: string | undefined;
  readonly proof: Proof;
  now(): Date;
  /** Runs `work` in a transaction, or in the current one. */
  transaction<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction, or in a savepoint of the current one: if it fails, only its own changes are
   * undone.
   */
  attempt<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /**
   * Runs `work`, which only reads, on the replica, or here if there is none or it can't answer. What it reads may be
   * seconds old, also within a transaction.
   */
  fromReplica<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /** Records a change in the current transaction. Notices go out only after the commit. */
  emit(event: DomainEvent): Promise<void>;
  /** The same for several changes, in their order and in few statements. None of them may be a security event. */
  emitAll(events: readonly PlainEvent[]): Promise<void>;
  /** The name of a change that the caller's own statement records, before it is emitted as `recorded`. */
  newChange(): Change;
  /** The same context acting as somebody else, such as the agent who started the work that a job continues. */
  as(actor: Actor): SiteContext;
  /** The same context for a caller with other limits: a token, whose requests are counted, acting for a visitor. */
  uncounted(): SiteContext;
  /** The same context and transaction for another site, which the caller has just created. */
  at(site: Site, actor: Actor): SiteContext;
  /**
   * A context whose changes trigger no webhooks and no notices for single records, for imports: the records were
   * created elsewhere.
   */
  quietly(): SiteContext;
  /** A context whose changes carry the rules that led to them, so that rules end and don't trigger each other forever. */
  causedBy(cause: RuleCause): SiteContext;
  /** The rules that led to the changes of this context; undefined for none. */
  readonly cause: RuleCause | undefined;
  /** Queues a job in the current transaction: it exists only if the transaction commits. */
  enqueue<N extends JobName>(name: N, data: JobData<N>, options?: JobOptions): Promise<void>;
}

interface ContextParts {
  site: Site;
  actor: Actor;
  db: Db;
  /** Undefined: the primary answers everything. */
  replica?: Pick<Replica, 'read'> | undefined;
  log: Logger;
  /** Fields of every log line, such as the request id. The logger is created by the first line. */
  about?: Readonly<Record<string, unknown>>;
  /** The caller's address for the audit log; unset for callers without a network address. */
  address?: string;
  /** The key that limits count the caller by. */
  caller?: string | undefined;
  proof?: Proof | undefined;
  services: Services;
  now: () => Date;
  isQuiet?: true;
  cause?: RuleCause | undefined;
  emitter: Emitted;
  send: (db: Db, name: JobName, data: object, options: JobOptions) => Promise<void>;
}

/** Inside a transaction, `pending` collects the notices to send after the commit. */
export function createContext(parts: ContextParts, pending?: (() => void)[]): SiteContext {
  return new Context(parts, pending);
}

/** A class, because every request creates one: methods are shared, while closures would be created each time. */
class Context implements SiteContext {
  readonly site: Site;
  readonly actor: Actor;
  readonly db: Db;
  readonly services: Services;
  readonly caller: string | undefined;
  readonly proof: Proof;
  readonly cause: RuleCause | undefined;
  readonly #parts: ContextParts;
  readonly #pending: (() => void)[] | undefined;
  #log: Logger | undefined;

  constructor(parts: ContextParts, pending: (() => void)[] | undefined) {
    this.site = parts.site;
    this.actor = parts.actor;
    this.db = parts.db;
    this.services = parts.services;
    this.caller = parts.caller;
    this.proof = parts.proof ?? 'none';
    this.cause = parts.cause;
    this.#parts = parts;
    this.#pending = pending;
  }

  get log(): Logger {
    const { log, about } = this.#parts;
    this.#log ??= about ? log.child(about) : log;
    return this.#log;
  }

  now(): Date {
    return this.#parts.now();
  }

  async transaction<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T> {
    if (this.#pending) return work(this);
    const told: (() => void)[] = [];
    const result = await this.db
      .transaction()
      .execute((tx) => work(new Context({ ...this.#parts, db: tx }, told)));
    for (const tell of told) tell();
    return result;
  }

  async attempt<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T> {
    if (!this.#pending) return this.transaction(work);
    const told: (() => void)[] = [];
    await sql`savepoint attempt`.execute(this.db);
    try {
      const result = await work(new Context({ ...this.#parts, db: this.db }, told));
      await sql`release savepoint attempt`.execute(this.db);
      this.#pending.push(...told);
      return result;
    } catch (error) {
      await sql`rollback to savepoint attempt`.execute(this.db);
      throw error;
    }
  }

  async fromReplica<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T> {
    const { replica } = this.#parts;
    if (!replica) return work(this);
    return replica.read(
      (db) => work(new Context({ ...this.#parts, db }, [])),
      () => work(this),
    );
  }

  as(actor: Actor): SiteContext {
    return new Context({ ...this.#parts, actor, db: this.db }, this.#pending);
  }

  uncounted(): SiteContext {
    return new Context({ ...this.#parts, caller: undefined, db: this.db }, this.#pending);
  }

  at(site: Site, actor: Actor): SiteContext {
    return new Context({ ...this.#parts, site, actor, db: this.db }, this.#pending);
  }

  quietly(): SiteContext {
    return new Context({ ...this.#parts, isQuiet: true, db: this.db }, this.#pending);
  }

  causedBy(cause: RuleCause): SiteContext {
    return new Context({ ...this.#parts, cause, db: this.db }, this.#pending);
  }

  emit(told: DomainEvent): Promise<void> {
    const { emitter, isQuiet } = this.#parts;
    const event = isQuiet ? { ...(told.audit ? { audit: told.audit } : {}) } : told;
    return emitter.emit(this.#emitScope(), event, (tell) => this.#afterCommit(tell));
  }

  async emitAll(told: readonly PlainEvent[]): Promise<void> {
    const [only] = told;
    if (only && told.length === 1) return this.emit(only);
    const { emitter, isQuiet } = this.#parts;
    const events = isQuiet ? told.map(({ audit }) => (audit ? { audit } : {})) : told;
    if (events.length > 0)
      await emitter.emitAll(this.#emitScope(), events, (tell) => this.#afterCommit(tell));
  }

  #emitScope(): EmitScope {
    const { site, actor, db, cause } = this;
    return { siteId: site.id, actor, db, now: this.now(), address: this.#parts.address ?? null, cause };
  }

  #afterCommit(tell: () => void): void {
    if (this.#pending) this.#pending.push(tell);
    else tell();
  }

  newChange(): Change {
    return this.#parts.emitter.newChange();
  }

  enqueue<N extends JobName>(name: N, data: JobData<N>, options: JobOptions = {}): Promise<void> {
    return this.#parts.send(this.db, name, { ...data, site_id: this.site.id }, options);
  }
}
