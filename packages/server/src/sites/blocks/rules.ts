import type { BlockKind } from '@foyer/protocol/values/wire-names';
import { type BoundedCache, createBoundedCache } from '../../base/bounded-cache.ts';
import { domainOf } from '../../base/email-address.ts';
import type { Db } from '../../db/database.ts';
import { Networks } from './networks.ts';
import { Phrases } from './phrases.ts';

declare module '../../core/context.ts' {
  interface Services {
    /** A site's blocks. Cached, because every message checks them. */
    readonly blocksOf: (siteId: number) => Promise<BlockRules>;
  }
}

/** A block that applies. */
export interface Hit {
  readonly id: number;
  readonly kind: BlockKind;
}

interface Entry extends Hit {
  readonly expiresAt: number;
}

/** The known data of a person who writes. */
export interface Suspect {
  /** The key of their address (`limits/address-key`). */
  caller?: string | undefined;
  /** In any case. */
  emails?: readonly (string | null | undefined)[] | undefined;
  /** Two letters. */
  country?: string | null | undefined;
  /** The text that they write. */
  text?: string | undefined;
}

export interface StoredBlock {
  id: number;
  kind: BlockKind;
  value: string;
  expires_at: Date | null;
}

/**
 * An address, its domain, and the parent domains: `a@mx.shop.example`, `mx.shop.example`, `shop.example`, `example`.
 */
export function coveredBy(address: string): string[] {
  const labels = domainOf(address).split('.');
  return [address, ...labels.map((_, at) => labels.slice(at).join('.'))];
}

/** A site's blocks in a form for fast lookups. */
export class BlockRules {
  static readonly NONE = new BlockRules([]);
  readonly #networks = new Networks<Entry>();
  readonly #phrases = new Phrases<Entry>();
  readonly #emails = new Map<string, Entry>();
  readonly #countries = new Map<string, Entry>();

  constructor(blocks: readonly StoredBlock[]) {
    for (const { id, kind, value, expires_at } of blocks) {
      const entry = { id, kind, expiresAt: expires_at?.getTime() ?? Number.POSITIVE_INFINITY };
      if (kind === 'address') this.#networks.add(value, entry);
      else if (kind === 'phrase') this.#phrases.add(value, entry);
      else (kind === 'email' ? this.#emails : this.#countries).set(value, entry);
    }
  }

  /** Whether a person's country and email addresses have to be looked up at all. */
  get concernPeople(): boolean {
    return this.#emails.size > 0 || this.#countries.size > 0;
  }

  /** The first matching block that hasn't expired: the person is checked before the text. */
  find(suspect: Suspect, now: Date): Hit | undefined {
    for (const entry of this.#all(suspect)) if (entry.expiresAt > now.getTime()) return entry;
    return undefined;
  }

  *#all({ caller, emails = [], country, text }: Suspect): Generator<Entry> {
    yield* this.#networks.of(caller);
    if (this.#emails.size > 0)
      for (const email of emails)
        for (const name of email ? coveredBy(email.toLowerCase()) : []) {
          const entry = this.#emails.get(name);
          if (entry) yield entry;
        }
    const entry = country ? this.#countries.get(country.toLowerCase()) : undefined;
    if (entry) yield entry;
    if (text) yield* this.#phrases.in(text);
  }
}

/** How long a change can go unseen if its notice is lost. */
const KEEP_MS = 10_000;
/** The limit of cached sites with blocks. One with 5,000 blocks takes about 1 MB. */
const KEEP_MAX = 200;

export interface BlockCache {
  of(siteId: number): Promise<BlockRules>;
  /** Call it on a notice of kind `site`; without an id, when notices may have been missed. */
  forget(siteId?: number): void;
}

/** Caches the blocks of sites that have any. */
export function createBlockCache(db: Db, now: () => Date): BlockCache {
  const rules: BoundedCache<BlockRules> = createBoundedCache({ max: KEEP_MAX, ttlMs: KEEP_MS, now });
  let generation = 0;
  return {
    async of(siteId) {
      const known = rules.get(String(siteId));
      if (known) return known;
      const before = generation;
      const read = new BlockRules(await readBlocks(db, siteId));
      // A result read before a change was noticed may be older than the change.
      if (before === generation) rules.set(String(siteId), read, siteId);
      return read;
    },
    forget(siteId) {
      generation += 1;
      if (siteId === undefined) rules.clear();
      else rules.deleteSite(siteId);
    },
  };
}

/** Every kind except an email has a prefix: see migration 0148. */
export const storedValue = (kind: BlockKind, value: string): string =>
  kind === 'email' ? value : `${kind}:${value}`;

/** The value of a stored block. */
export const blockedValue = ({ kind, sender }: { kind: BlockKind; sender: string }): string =>
  kind === 'email' ? sender : sender.slice(kind.length + 1);

async function readBlocks(db: Db, siteId: number): Promise<StoredBlock[]> {
  const rows = await db
    .selectFrom('blocked_senders')
    .select(['id', 'kind', 'sender', 'expires_at'])
    .where('site_id', '=', siteId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    value: blockedValue(row),
    expires_at: row.expires_at,
  }));
}
