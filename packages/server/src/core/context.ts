import type { Plan, ServerFrame } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import type { Actor } from './actor.ts';
import type { DomainEvent, Emitted } from './events.ts';
import type { JobData, JobName, JobOptions } from './job-data.ts';
import type { PublicAddress } from './public-address.ts';

export interface Site {
  readonly id: number;
  readonly plan: Plan;
}

/** What is only true for a moment. */
export type PassingFrame = Extract<ServerFrame, { type: 'typing' | 'answering' }>;

/** Who of a site's agents has an open dashboard, on any node. Never stored. */
export interface Presence {
  onlineAgents(siteId: number): number[];
}

/** What is counted by the minute: what strangers create at the public entry points, and questions of agents who try the bot. */
export type Admitted = 'greeting' | 'visitor' | 'chat' | 'trial';

/**
 * What a domain needs from the process it runs in. A domain adds its own service to this interface beside the type that
 * it provides (`declare module`), so that the core does not depend on domains.
 */
export interface Services {
  readonly address: PublicAddress;
  readonly presence: Presence;
  /** Keeps secrets that must be read again, such as webhook secrets. */
  readonly vault: { seal(text: string): Buffer; open(sealed: Buffer): string };
  readonly webhooks: { readonly allowPrivate: boolean };
  /** A signed link to a file, good for 24 hours from `now`: its download, or the picture that it is. */
  attachmentUrl(siteId: number, id: number, now: Date, form?: 'image'): string;
  /** Shows those who follow a chat what is only true for a moment: that the bot writes, and what so far. Never stored. */
  readonly passing: { show(siteId: number, frame: PassingFrame): void };
  /** Random to everybody else, and the same whenever it is asked for again: 43 characters of base64url. */
  derivedToken(purpose: string): string;
  /**
   * Counts what a caller creates or asks, for its address and for the site. Calls without an address, such as the demo's, are
   * not counted.
   * @throws AppError 429 with `retry-after`
   */
  admit(siteId: number, caller: string | undefined, what: Admitted): void;
}

/** All that a domain knows of the world: one site, one actor, one clock. No HTTP in it. */
export interface SiteContext {
  readonly site: Site;
  readonly actor: Actor;
  readonly db: Db;
  readonly log: Logger;
  readonly services: Services;
  /** Whose requests count together at the public doors; undefined where there is no network between. */
  readonly caller: string | undefined;
  now(): Date;
  /** Runs `work` in a transaction; joins the one that is under way, if any. */
  transaction<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction; where one is under way, what fails leaves nothing of its own and spoils no more. */
  attempt<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /** Records a change, in the caller's transaction; told to the world only after its commit. */
  emit(event: DomainEvent): Promise<void>;
  /** The same in the name of another: of the agent who began what a job goes on with. */
  as(actor: Actor): SiteContext;
  /** The same, in the same transaction, at another site: one that the caller has just created. */
  at(site: Site, actor: Actor): SiteContext;
  /** The same, but nobody outside hears what it changes, and no desk one by one: what is brought in happened elsewhere. */
  quietly(): SiteContext;
  /** Queues a job; it is there only if the caller's transaction commits. */
  enqueue<N extends JobName>(name: N, data: JobData<N>, options?: JobOptions): Promise<void>;
}

interface ContextParts {
  site: Site;
  actor: Actor;
  db: Db;
  log: Logger;
  /** Stands on each log line, such as the request id; no logger is made for a call that logs nothing. */
  about?: Readonly<Record<string, unknown>>;
  /** Where the caller is, for the audit log; left out where there is no network between. */
  address?: string;
  /** The address as limits count it. */
  caller?: string | undefined;
  services: Services;
  now: () => Date;
  isQuiet?: true;
  emitter: Emitted;
  send: (db: Db, name: JobName, data: object, options: JobOptions) => Promise<void>;
}

/** Inside a transaction `pending` holds what is to be told after its commit. */
export function createContext(parts: ContextParts, pending?: (() => void)[]): SiteContext {
  return new Context(parts, pending);
}

/** A class, because one is made for each request: its methods are shared, where closures would be made anew. */
class Context implements SiteContext {
  readonly site: Site;
  readonly actor: Actor;
  readonly db: Db;
  readonly services: Services;
  readonly caller: string | undefined;
  readonly #parts: ContextParts;
  readonly #pending: (() => void)[] | undefined;
  #log: Logger | undefined;

  constructor(parts: ContextParts, pending: (() => void)[] | undefined) {
    this.site = parts.site;
    this.actor = parts.actor;
    this.db = parts.db;
    this.services = parts.services;
    this.caller = parts.caller;
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

  as(actor: Actor): SiteContext {
    return new Context({ ...this.#parts, actor, db: this.db }, this.#pending);
  }

  at(site: Site, actor: Actor): SiteContext {
    return new Context({ ...this.#parts, site, actor, db: this.db }, this.#pending);
  }

  quietly(): SiteContext {
    return new Context({ ...this.#parts, isQuiet: true, db: this.db }, this.#pending);
  }

  emit(told: DomainEvent): Promise<void> {
    const { site, actor, db } = this;
    const afterCommit = (tell: () => void): void => {
      if (this.#pending) this.#pending.push(tell);
      else tell();
    };
    const { emitter, address = null, isQuiet } = this.#parts;
    const event = isQuiet ? { ...(told.audit ? { audit: told.audit } : {}) } : told;
    return emitter.emit({ siteId: site.id, actor, db, now: this.now(), address }, event, afterCommit);
  }

  enqueue<N extends JobName>(name: N, data: JobData<N>, options: JobOptions = {}): Promise<void> {
    return this.#parts.send(this.db, name, { ...data, site_id: this.site.id }, options);
  }
}
