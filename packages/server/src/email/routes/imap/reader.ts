import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { SiteContext } from '../../../core/context.ts';
import { SignInProblem } from '../../../mail/oauth/token-requests.ts';
import { MAIL_MAX_BYTES } from '../../../mime/limits.ts';
import type { GuardOptions } from '../../../net/address-guard.ts';
import { storeReceived } from '../../inbound/store.ts';
import { HEADERS_MAX_BYTES } from '../limits.ts';
import { logUnprocessed } from '../reject.ts';
import { noteProblem, noteWorking } from '../state.ts';
import { openMailbox } from './open-mailbox.ts';
import {
  holdStart,
  type ImapRow,
  type Position,
  saveStart,
  sourceOf,
  startPosition,
  takeUid,
  uidsBehind,
  unstoredEarlier,
} from './position.ts';
import { connectionProblem } from './problems.ts';

/** Messages per request for sizes. */
const SIZES_AT_ONCE = 100;
/** Attempts at a message that the server refuses to deliver, or during which the connection breaks. */
const REFUSED_TRIES = 3;
const CUT_TRIES = 10;

export interface ReaderOptions {
  ctx: SiteContext;
  row: ImapRow;
  guard: GuardOptions;
  /** Limits how many sign in at once. */
  connect<T>(work: () => Promise<T>): Promise<T>;
  /** Limits how many whole messages are in memory at once, over all mailboxes. */
  withRoom<T>(work: () => Promise<T>): Promise<T>;
  /** Attempts at a message, by its source, kept over connections. */
  tries: Map<string, number>;
  /** Called whenever everything new has been fetched. */
  onWorking(): void;
}

/** One connection to a mailbox, from signing in until it ends. It has no timer: its owner wakes it. */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #ended = new AbortController();
  #client: ImapFlow | undefined;
  #wake: (() => void) | undefined;
  #hasNews = false;
  /** When the connection last did something; the owner ends one that is stuck. */
  activeAt = performance.now();
  /** Waiting for new mail. */
  isIdle = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Whether the server reports new mail automatically; otherwise the owner must poll more often. */
  get isPushed(): boolean {
    return this.#client?.capabilities.has('IDLE') === true;
  }

  /** Checks for new mail now. */
  wake(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  /** Ends the connection; `run` returns soon after. A message that is being stored is finished. */
  stop(): void {
    this.#ended.abort();
    this.#wake?.();
    if (this.isIdle) void this.#client?.logout().catch(() => undefined);
  }

  /** Cuts the connection. */
  cut(): void {
    this.#client?.close();
    this.#wake?.();
  }

  /**
   * Fetches new mail until it is stopped or the connection ends.
   * @returns undefined if it was stopped, else the problem
   */
  async run(): Promise<unknown> {
    const { row, ctx } = this.#options;
    try {
      await this.#session();
      return undefined;
    } catch (error) {
      if (this.#ended.signal.aborted) return undefined;
      const { imap_host: host, imap_port: port, imap_username: user, imap_folder: folder } = row;
      const provider = row.provider && ctx.services.mailProviders[row.provider].name;
      const tried = { host: host ?? '', port: port ?? 0, user, folder, provider, protocol: 'IMAP' } as const;
      const isFinal = error instanceof SignInProblem && error.isFinal;
      await noteProblem(ctx, row.id, connectionProblem(error, tried), isFinal).catch((thrown) =>
        ctx.log.warn({ err: thrown, mailbox_id: row.id }, 'a mailbox’s problem could not be recorded'),
      );
      return error;
    } finally {
      this.#client?.close();
    }
  }

  async #session(): Promise<void> {
    const { ctx, row, guard } = this.#options;
    const client = await this.#options.connect(() => openMailbox(ctx, row, guard, MAIL_MAX_BYTES));
    this.#client = client;
    this.activeAt = performance.now();
    client.on('exists', () => this.wake());
    client.on('close', () => this.#wake?.());
    await client.mailboxOpen(row.imap_folder, { readOnly: true });
    const position = await startPosition(client, row, ctx.now());
    await this.#fetch(client, position, await unstoredEarlier(ctx, row, position));
    if (!this.#ended.signal.aborted) await saveStart(ctx, row, position);
    while (!this.#ended.signal.aborted) {
      this.#hasNews = false;
      await this.#fetch(client, position, await uidsBehind(client, position));
      await noteWorking(ctx, row.id);
      this.#options.onWorking();
      await this.#idle(client);
    }
    await client.logout();
  }

  /** Any command ends an IDLE, so nothing waits here except for new mail. */
  async #idle(client: ImapFlow): Promise<void> {
    if (this.#hasNews || this.#ended.signal.aborted) return;
    if (!client.usable)
      throw Object.assign(new Error('the server ended the connection'), { code: 'ECONNRESET' });
    this.isIdle = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    if (this.isPushed) void client.idle().catch(() => resolve());
    await promise;
    this.#wake = undefined;
    this.isIdle = false;
    this.activeAt = performance.now();
    if (!client.usable && !this.#ended.signal.aborted)
      throw Object.assign(new Error('the server ended the connection'), { code: 'ECONNRESET' });
  }

  /** @param uids the smallest first */
  async #fetch(client: ImapFlow, position: Position, uids: readonly number[]): Promise<void> {
    for (let at = 0; at < uids.length; at += SIZES_AT_ONCE) {
      const some = uids.slice(at, at + SIZES_AT_ONCE);
      const sizes = new Map<number, number>();
      for await (const { uid, size } of client.fetch(
        some.join(','),
        { uid: true, size: true },
        { uid: true },
      ))
        sizes.set(uid, size ?? 0);
      for (const uid of some) {
        if (this.#ended.signal.aborted) return;
        this.activeAt = performance.now();
        await this.#take(client, position, uid, sizes.get(uid));
        position.lastUid = Math.max(position.lastUid, uid);
      }
    }
  }

  /** @param size undefined if it was deleted meanwhile */
  async #take(client: ImapFlow, position: Position, uid: number, size: number | undefined): Promise<void> {
    const { tries, withRoom, row } = this.#options;
    const source = sourceOf(row, position, uid);
    let isFetched = false;
    try {
      if (size === undefined) await this.#store(position, uid, async () => undefined);
      else if (size > MAIL_MAX_BYTES) await this.#reject(client, position, uid, size);
      else
        await withRoom(async () => {
          const message = await client.fetchOne(String(uid), { uid: true, source: true }, { uid: true });
          isFetched = true;
          await this.#storeMessage(position, uid, message === false ? undefined : message);
        });
      tries.delete(source);
    } catch (error) {
      // What the database refuses is retried for as long as it takes.
      if (isFetched) throw error;
      const count = (tries.get(source) ?? 0) + 1;
      tries.set(source, count);
      if (count < (client.usable ? REFUSED_TRIES : CUT_TRIES)) throw error;
      const detail = `The server didn’t deliver this message in ${count} attempts; it is still in the folder.`;
      await this.#log(position, uid, { state: 'failed', reason: 'unreadable', detail, size: size ?? 0 });
      tries.delete(source);
      if (!client.usable) throw error;
    }
  }

  #storeMessage(position: Position, uid: number, message: FetchMessageObject | undefined): Promise<void> {
    const raw = message?.source;
    if (!raw) return this.#store(position, uid, async () => undefined);
    const { row } = this.#options;
    const source = sourceOf(row, position, uid);
    const mail = { mailboxId: row.id, route: 'imap', source, raw } as const;
    return this.#store(position, uid, (tx) => storeReceived(tx, mail));
  }

  /** One transaction: a process that dies here has stored the message and moved on, or neither. */
  async #store(position: Position, uid: number, work: (tx: SiteContext) => Promise<unknown>): Promise<void> {
    const { ctx, row } = this.#options;
    await ctx.transaction(async (tx) => {
      const isNew = uid > position.lastUid;
      if (await (isNew ? takeUid(tx, row.id, position, uid) : holdStart(tx, row))) await work(tx);
    });
  }

  async #reject(client: ImapFlow, position: Position, uid: number, size: number): Promise<void> {
    const query = { uid: true, envelope: true, source: { start: 0, maxLength: HEADERS_MAX_BYTES } };
    const message = await client.fetchOne(String(uid), query, { uid: true });
    const raw = message === false ? undefined : message.source;
    const end = raw?.indexOf('\r\n\r\n') ?? -1;
    const envelope = message === false ? undefined : message.envelope;
    await this.#log(position, uid, {
      state: 'rejected',
      reason: 'too_large',
      detail: `${size} bytes; at most ${MAIL_MAX_BYTES} are accepted.`,
      size,
      headers: raw && end >= 0 ? raw.subarray(0, end + 4) : raw,
      subject: envelope?.subject,
      from: envelope?.from?.[0],
    });
  }

  #log(
    position: Position,
    uid: number,
    about: {
      state: 'rejected' | 'failed';
      reason: 'too_large' | 'unreadable';
      detail: string;
      size: number;
      headers?: Buffer | undefined;
      subject?: string | undefined;
      from?: { name?: string | undefined; address?: string | undefined } | undefined;
    },
  ): Promise<void> {
    const { headers = Buffer.alloc(0), ...rest } = about;
    const { row } = this.#options;
    const source = sourceOf(row, position, uid);
    return this.#store(position, uid, (tx) =>
      logUnprocessed(tx, { ...rest, headers, mailboxId: row.id, route: 'imap', source }),
    );
  }
}
