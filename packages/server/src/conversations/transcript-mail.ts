import type { Language, Message } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import { html, linked } from '../base/html.ts';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import { type Speech, speechOf } from '../i18n/phrases.ts';
import { isArticleImage } from '../knowledge/articles/images.ts';
import { noteMailFailure } from '../mail/failures.ts';
import { MailRefused } from '../mail/mailer.ts';
import { findMailer, sendsMail } from '../mail/site-mailer.ts';
import { composeTranscriptMail, type TranscriptLine } from '../mail/transcript-mail.ts';
import { replyHtml, replyText } from '../text/reply-markdown.ts';
import { knownFrom } from '../visitors/identity/greeting.ts';
import { ownDevice } from '../visitors/identity/own-visitor.ts';
import { noteContact, visitorActor } from './chat.ts';
import { linksOf, messagesAfter } from './messages.ts';
import { lockSession, nameForVisitor, type SessionRow } from './sessions.ts';

/** Mails per chat, and per address and site per day: enough if one was lost, too few to annoy a stranger. */
const PER_CHAT_MAX = 3;
const PER_ADDRESS_DAY_MAX = 5;
/** Limit for a mail that a person reads. Mail programs cut off much longer ones. */
const MESSAGES_MAX = 500;

/**
 * The address that the visitor gave in this chat. Data known about a person must not be used for somebody who only
 * claims to be them.
 */
async function ownAddress(ctx: SiteContext, session: SessionRow): Promise<string | null> {
  const actor = visitorActor(ctx);
  if (session.contact_email !== null) return session.contact_email;
  if (actor.verified) return session.visitor_email;
  return knownFrom((await ownDevice(ctx, actor))?.reportedAttributes ?? {}, null).email;
}

async function refuseTooMany(ctx: SiteContext, chatId: number, email: string): Promise<void> {
  const { db, site } = ctx;
  const { rows } = await sql<{ of_chat: number; to_address: number }>`
    select (select count(*) from transcript_mails where site_id = ${site.id} and conversation_id = ${chatId})::integer as of_chat,
      (select count(*) from transcript_mails where site_id = ${site.id} and lower(email) = lower(${email})
        and created_at > ${new Date(ctx.now().getTime() - DAY_MS)})::integer as to_address`.execute(db);
  const [sent] = rows;
  if (!sent || sent.of_chat >= PER_CHAT_MAX || sent.to_address >= PER_ADDRESS_DAY_MAX)
    throw new AppError('rate_limited', 'This chat was already sent several times. Try again tomorrow.');
}

/**
 * Mails a chat to its visitor's own address.
 * @param given used if no address is known yet, and stored as theirs
 * @returns the recipient's address
 * @throws AppError 409 without an address or a mail server, 429 if it was sent too often
 */
export async function mailTranscript(
  ctx: SiteContext,
  sessionId: string,
  given: string | undefined,
): Promise<{ email: string }> {
  return ctx.transaction(async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!(await sendsMail(tx))) throw new AppError('conflict', 'This site has no mail server.');
    const email = (await ownAddress(tx, session)) ?? given;
    if (email === undefined) throw new AppError('conflict', 'No email address is known yet.');
    await refuseTooMany(tx, session.id, email);
    if (email === given) await noteContact(tx, session.visitor_id, email, undefined);
    const { id } = await tx.db
      .insertInto('transcript_mails')
      .values({ site_id: tx.site.id, conversation_id: session.id, email, created_at: tx.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.enqueue('mail.transcript', { transcript_mail_id: id }, { key: `${tx.site.id}:${id}` });
    return { email };
  });
}

interface Queued {
  email: string;
  session_id: string;
  last_seq: number;
  started_at: Date;
  site_name: string;
  language: Language;
  visitor_name: string | null;
}

const SPEAKERS = { visitor: 'you', bot: 'assistant', agent: 'team' } as const;

/** A system message as the widget words it. A question about which article is meant keeps its text. */
function reportOf({ say }: Speech, { event, author, text }: Message): string {
  if (event === null || event === 'asked_back' || event === 'proactive') return text;
  if (event === 'agent_joined' && !author?.name) return say('event_agent_joined_unnamed');
  return say(`event_${event}`, { name: author?.name ?? '' });
}

/**
 * Renders the markdown of bot and team. A visitor's words stay as written. Files are only named, because their
 * links expire.
 */
function saidOf(
  sender: Message['sender'],
  words: string,
  files: string,
  base: string,
): TranscriptLine['said'] {
  const both = [words, files].filter(Boolean).join('\n');
  if (sender === 'visitor' || sender === 'system')
    return { html: html`<span style="white-space:pre-wrap">${linked(both)}</span>`, text: both };
  const options = { base, isOwnPicture: isArticleImage };
  return {
    html: html`${replyHtml(words, options)}${files && html`<p>${files}</p>`}`,
    text: [replyText(words, options), files].filter(Boolean).join('\n'),
  };
}

function lineOf(speech: Speech, message: Message, base: string): TranscriptLine {
  const { sender, author, attachments, created_utc } = message;
  const named = sender === 'visitor' ? undefined : author?.name;
  return {
    speaker: sender === 'system' ? null : (named ?? speech.say(SPEAKERS[sender])),
    said: saidOf(
      sender,
      reportOf(speech, message),
      attachments.map(({ name }) => `[${name}]`).join('\n'),
      base,
    ),
    at: new Date(created_utc),
  };
}

async function sendTranscript(ctx: SiteContext, mailId: number): Promise<void> {
  const { rows } = await sql<Queued>`
    select t.email, c.session_id, c.last_seq, c.started_at, s.name as site_name, s.language, ${nameForVisitor} as visitor_name
    from transcript_mails t
    join conversations c on c.site_id = t.site_id and c.id = t.conversation_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    join sites s on s.id = t.site_id
    where t.site_id = ${ctx.site.id} and t.id = ${mailId}`.execute(ctx.db);
  const [mail] = rows;
  // The visitor was erased meanwhile.
  if (!mail) return;
  const mailer = await findMailer(ctx);
  const { derivedToken } = ctx.services;
  if (!mailer) throw new Error('a transcript can’t be mailed: no mail server is set up');
  const from = Math.max(0, mail.last_seq - MESSAGES_MAX);
  const messages = await messagesAfter(
    ctx.db,
    linksOf(ctx),
    ctx.site.id,
    mail.session_id,
    from,
    MESSAGES_MAX,
  );
  try {
    await mailer.send(
      composeTranscriptMail({
        siteName: mail.site_name,
        language: mail.language,
        to: { name: mail.visitor_name, address: mail.email },
        startedAt: mail.started_at,
        lines: messages.map((message) => lineOf(speechOf(mail.language), message, ctx.services.address.url)),
        isCut: from > 0,
        id: `transcript-${ctx.site.id}-${mailId}.${derivedToken('message ids').slice(0, 12)}`,
      }),
    );
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ err: error, session_id: mail.session_id }, 'sending a transcript failed');
    await noteMailFailure(ctx, 'transcript', error);
  }
}

/** Retries after 30 s, 1 min, 2 min … for about an hour; after that, somebody waiting for it has moved on. */
const RETRIES = { limit: 8, delayS: 30, maxDelayS: 900 };

export const transcriptJobs = [
  job({
    name: 'mail.transcript',
    retries: RETRIES,
    run: (ctx, { transcript_mail_id }) => sendTranscript(ctx, transcript_mail_id),
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'transcript', error),
  }),
];
