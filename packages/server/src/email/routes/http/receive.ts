import { AppError, notFound } from '../../../base/errors.ts';
import { hashSecret } from '../../../base/secret-token.ts';
import { createSemaphore } from '../../../base/semaphore.ts';
import type { SiteContext } from '../../../core/context.ts';
import type { Db } from '../../../db/database.ts';
import { MAIL_MAX_BYTES } from '../../../mime/limits.ts';
import { storeReceived } from '../../inbound/store.ts';
import { noteProblem, noteWorking } from '../state.ts';
import { type Post, type PostedMail, parseJson } from './posted.ts';
import { readMailgun, readPostmark, readSendGrid, readSes } from './services.ts';
import { createSns, type Sns } from './sns.ts';

export interface InboundOptions {
  db: Db;
  contextFor(siteId: number): Promise<SiteContext | undefined>;
  sns?: Sns | undefined;
}

export interface Inbound {
  /**
   * Stores the mail that a service has posted to a mailbox’s URL. Once it returns, the service may forget the mail.
   * @returns whether there was a mail: confirming a subscription has none
   * @throws AppError 400, 401, 404, 413, 503
   */
  receive(token: string, readPost: () => Promise<Post>): Promise<boolean>;
}

/** Whole posts in memory. */
const POSTS_AT_ONCE = 4;
/** `newSecret`, in base64url. */
const TOKEN = /^[\w-]{43}$/;

interface HttpMailbox {
  site_id: number;
  id: number;
  http_secret_cipher: Buffer | null;
}

const findMailbox = async (db: Db, token: string): Promise<HttpMailbox | undefined> =>
  TOKEN.test(token)
    ? db
        .selectFrom('mailboxes')
        .select(['site_id', 'id', 'http_secret_cipher'])
        .where('http_token_hash', '=', hashSecret(token))
        .where('is_enabled', '=', true)
        .executeTakeFirst()
    : undefined;

/** Reads any of the formats; undefined for a post without a mail. */
async function mailOf(post: Post, secret: string | undefined, sns: Sns): Promise<PostedMail | undefined> {
  const { contentType, body, query, fields } = post;
  if (fields)
    return fields.has('timestamp') ? readMailgun(fields, secret) : readSendGrid(post, fields, secret);
  // SNS posts JSON as text/plain.
  if (post.headers['x-amz-sns-message-type'] !== undefined) {
    const message = await sns.read(parseJson(body.toString()));
    if (message.Type === 'Notification') return { ...readSes(message.Message), source: message.MessageId };
    await sns.confirm(message);
    return undefined;
  }
  if (contentType === 'application/json') return readPostmark(parseJson(body.toString()));
  if (contentType === 'message/rfc822') return { raw: body, envelopeFrom: query.from, envelopeTo: query.to };
  throw new AppError(
    'unsupported_media_type',
    'Post the message as message/rfc822, or in the format of Postmark, Mailgun, SendGrid or Amazon SES.',
  );
}

async function takePost(ctx: SiteContext, mailbox: HttpMailbox, post: Post, sns: Sns): Promise<boolean> {
  const { http_secret_cipher: cipher, id } = mailbox;
  try {
    const mail = await mailOf(post, cipher ? ctx.services.vault.open(cipher) : undefined, sns);
    if (!mail) return false;
    if (mail.raw.length > MAIL_MAX_BYTES)
      throw new AppError('payload_too_large', `At most ${MAIL_MAX_BYTES} bytes are accepted.`);
    await storeReceived(ctx, { ...mail, source: mail.source ?? null, mailboxId: id, route: 'http' });
    await noteWorking(ctx, id);
    return true;
  } catch (error) {
    // Only the service knows the URL, so its mistakes are shown to the owner.
    if (error instanceof AppError && error.code !== 'unavailable') await noteProblem(ctx, id, error.message);
    throw error;
  }
}

/** Posts of mail services to the URLs of mailboxes. */
export function createInbound({ db, contextFor, sns = createSns() }: InboundOptions): Inbound {
  const posts = createSemaphore(POSTS_AT_ONCE);
  return {
    async receive(token, readPost) {
      const mailbox = await findMailbox(db, token);
      const ctx = mailbox && (await contextFor(mailbox.site_id));
      if (!mailbox || !ctx) throw notFound('mailbox');
      return posts.run(async () => takePost(ctx, mailbox, await readPost(), sns));
    },
  };
}
