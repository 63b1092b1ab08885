declare module '../../core/context.ts' {
  interface Services {
    readonly freshMails: FreshMails;
  }
}

/** The limit of all mails that wait in memory. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The job that processes a mail usually runs at once. */
const KEEP_MS = 10_000;

/**
 * The bytes of mails that this process has just stored, so that it needn't read them back. They are stored first: what
 * isn't here, such as in another process, is read from the database.
 */
export class FreshMails {
  readonly #mails = new Map<string, Buffer>();
  #bytes = 0;

  /** Keeps the bytes of a stored mail for a moment, if there is room. */
  add(siteId: number, id: number, raw: Buffer): void {
    if (this.#bytes + raw.length > MAX_BYTES) return;
    this.#mails.set(`${siteId}:${id}`, raw);
    this.#bytes += raw.length;
    setTimeout(() => this.#remove(siteId, id), KEEP_MS).unref();
  }

  /** Forgets a mail's bytes. @returns a copy of them: the route that received the mail may still use its own */
  take(siteId: number, id: number): Buffer | undefined {
    const raw = this.#remove(siteId, id);
    return raw && Buffer.from(raw);
  }

  #remove(siteId: number, id: number): Buffer | undefined {
    const key = `${siteId}:${id}`;
    const raw = this.#mails.get(key);
    if (raw && this.#mails.delete(key)) this.#bytes -= raw.length;
    return raw;
  }
}
