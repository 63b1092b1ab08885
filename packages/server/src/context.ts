import type { Language, Plan, Role, ServerFrame } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { LanguageModel } from './ai/language-model.ts';
import type { Db } from './db/database.ts';
import { AppError } from './errors.ts';
import type { DomainEvent, Emitted } from './events.ts';
import type { JobData, JobName, JobOptions } from './jobs/job.ts';
import type { HelpCatalogue } from './knowledge/help-catalogue.ts';
import type { PassageVectors } from './knowledge/passage-vectors.ts';
import type { SearchIndex } from './knowledge/search-index.ts';
import type { Mailer } from './mail/mailer.ts';
import type { PushSender } from './notifications/web-push.ts';

/** Who is at the door. What each may do is said once, by each operation's `who`. */
export type Actor =
  | {
      readonly kind: 'token';
      readonly tokenId: number;
      readonly canWrite: boolean;
      /** A browser token (decisions 6), and the origins of the pages that may use it; none: any. */
      readonly browser?: { readonly origins: readonly string[] };
      readonly requestCount: number;
    }
  | {
      readonly kind: 'agent';
      readonly agentId: number;
      readonly name: string;
      readonly role: Role;
      /** The session of whoever came by the dashboard's cookie. */
      readonly signInId?: string;
    }
  | {
      readonly kind: 'visitor';
      readonly visitorId: number;
      /** Null for whoever came by a link of the portal: it opens one ticket, and no chat. */
      readonly deviceId: number | null;
      readonly verified: boolean;
      /** Of what the browser wants, what the site speaks. */
      readonly language?: Language;
    }
  | { readonly kind: 'operator' }
  | { readonly kind: 'job' };

export type AgentActor = Extract<Actor, { kind: 'agent' }>;

/** @throws AppError 403 for whoever is no agent: an operator, a token or a job has no name to act in. */
export function agentActor({ actor }: Pick<SiteContext, 'actor'>): AgentActor {
  if (actor.kind !== 'agent') throw new AppError('insufficient_scope', 'Only an agent can do this.');
  return actor;
}

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

/** What a domain needs of the process that it runs in. */
export interface Services {
  readonly baseUrl: string;
  readonly presence: Presence;
  /** Keeps secrets that must be read again, such as webhook secrets. */
  readonly vault: { seal(text: string): Buffer; open(sealed: Buffer): string };
  readonly webhooks: { readonly allowPrivate: boolean };
  /** A signed link to a file, good for 24 hours from `now`: its download, or the picture that it is. */
  attachmentUrl(siteId: number, id: number, now: Date, form?: 'image'): string;
  /** Undefined without SMTP_URL: nothing is mailed. */
  readonly mailer: Mailer | undefined;
  /** To browsers that have allowed it, whether the desk is open there or not. */
  readonly push: PushSender;
  /** Shows those who follow a chat what is only true for a moment: that the bot writes, and what so far. Never stored. */
  readonly passing: { show(siteId: number, frame: PassingFrame): void };
  /** Undefined without FOYER_AI_MODEL: the bot answers by itself. */
  readonly languageModel: LanguageModel | undefined;
  /** Random to everybody else, and the same whenever it is asked for again: 43 characters of base64url. */
  derivedToken(purpose: string): string;
  /** What the bot searches: each site's published knowledge, as fresh as the database. */
  readonly indexes: { indexOf(siteId: number): Promise<SearchIndex> };
  /** Undefined without FOYER_AI_EMBEDDING_MODEL: passages are found by their words alone. */
  readonly vectors: PassageVectors | undefined;
  /** What the help centre lists: each site's published titles, as fresh as the database. */
  readonly catalogues: { catalogueOf(siteId: number): Promise<HelpCatalogue> };
}

/** All that a domain knows of the world: one site, one actor, one clock. No HTTP in it. */
export interface SiteContext {
  readonly site: Site;
  readonly actor: Actor;
  readonly db: Db;
  readonly log: Logger;
  readonly services: Services;
  now(): Date;
  /** Runs `work` in a transaction; joins the one that is under way, if any. */
  transaction<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction; where one is under way, what fails leaves nothing of its own and spoils no more. */
  attempt<T>(work: (ctx: SiteContext) => Promise<T>): Promise<T>;
  /** Records a change, in the caller's transaction; told to the world only after its commit. */
  emit(event: DomainEvent): Promise<void>;
  /** The same in the name of another: of the agent who began what a job goes on with. */
  as(actor: Actor): SiteContext;
  /** The same, but nobody outside hears what it changes, and no desk one by one: what is brought in happened elsewhere. */
  quietly(): SiteContext;
  /** Queues a job; it is there only if the caller's transaction commits. */
  enqueue<N extends JobName>(name: N, data: JobData<N>, options?: JobOptions): Promise<void>;
}

export interface ContextParts {
  site: Site;
  actor: Actor;
  db: Db;
  log: Logger;
  /** Stands on each log line, such as the request id; no logger is made for a call that logs nothing. */
  about?: Readonly<Record<string, unknown>>;
  /** Where the caller is, for the audit log; left out where there is no network between. */
  address?: string;
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
  readonly #parts: ContextParts;
  readonly #pending: (() => void)[] | undefined;
  #log: Logger | undefined;

  constructor(parts: ContextParts, pending: (() => void)[] | undefined) {
    this.site = parts.site;
    this.actor = parts.actor;
    this.db = parts.db;
    this.services = parts.services;
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
