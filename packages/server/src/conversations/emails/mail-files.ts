import { Readable } from 'node:stream';
import type { AttachmentRow } from '../../attachments/attachments.ts';
import { readAttachment } from '../../attachments/attachments.ts';
import type { SiteContext } from '../../core/context.ts';
import { LINK_LIFE_MS } from '../../files/signed-links.ts';
import { findImage, imageName } from '../../knowledge/articles/images.ts';
import type { MailFile } from '../../mail/mailer.ts';
import type { LinkedFile } from '../../mail/reply-mail.ts';

/** Of a mail's files together; most mail servers refuse more, once it is encoded. The rest are links. */
const FILES_MAX_BYTES = 20 * 1024 * 1024;
const LINK_LIFE_IN_MAIL_MS = 30 * 86_400_000;

/** Which files a mail contains. */
export class MailFiles {
  readonly contained: MailFile[] = [];
  readonly linked: LinkedFile[] = [];
  readonly #ctx: SiteContext;
  readonly #sentAt: Date;
  #left = FILES_MAX_BYTES;

  /** @param sentAt the time from which the life of links counts: the same for every attempt */
  constructor(ctx: SiteContext, sentAt: Date) {
    this.#ctx = ctx;
    this.#sentAt = sentAt;
  }

  #hasRoom(size: number): boolean {
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  /** Contains a file, or links to it if there is no room. It is read while it is sent. */
  attach(file: AttachmentRow): void {
    const { db, site, services } = this.#ctx;
    if (this.#hasRoom(file.size)) {
      const content = Readable.from(readAttachment(db, site.id, file), { objectMode: false });
      this.contained.push({ name: file.name, contentType: file.content_type, content });
      return;
    }
    const from = new Date(this.#sentAt.getTime() + LINK_LIFE_IN_MAIL_MS - LINK_LIFE_MS);
    this.linked.push({ name: file.name, url: services.attachmentUrl(site.id, file.id, from) });
  }

  /**
   * Contains pictures that the text shows.
   * @returns the `cid:` address of each; without those that don't exist or have no room
   */
  async show(paths: Iterable<string>): Promise<Map<string, string>> {
    const shown = new Map<string, string>();
    for (const path of new Set(paths)) {
      const name = imageName(path);
      const image = await findImage(this.#ctx.db, name);
      if (!image || !this.#hasRoom(image.content.length)) continue;
      const cid = `${name}@foyer`;
      const extension = image.contentType.slice(image.contentType.indexOf('/') + 1);
      this.contained.push({ name: `${name}.${extension}`, ...image, cid });
      shown.set(path, `cid:${cid}`);
    }
    return shown;
  }
}
