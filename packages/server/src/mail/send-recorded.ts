import type { MailAttemptOutcome, MailSetup } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { mailErrorWords, noteMailFailure } from './failures.ts';
import { type Mail, type Mailer, MailRefused } from './mailer.ts';

/** One attempt to send a mail, or its later result. */
export interface Attempt {
  outcome: MailAttemptOutcome;
  /** The server's response, or another error. It may contain the recipient's address. */
  answer: string | null;
}

const ANSWER_MAX = 500;

/** A server's response as PostgreSQL can store it. */
export const storableAnswer = (answer: string | null): string | null =>
  answer?.toWellFormed().replaceAll('\0', '').slice(0, ANSWER_MAX) ?? null;

interface Sending {
  /** The kind of mail under which admins see a failure. */
  kind: MailSetup['failures'][number]['kind'];
  /** Fields of log lines. */
  about: Readonly<Record<string, unknown>>;
  mailer: Mailer | undefined;
  /** Undefined: there is nothing left to send. */
  compose(): Promise<Mail | undefined>;
  record(attempt: Attempt): Promise<unknown>;
}

/**
 * Sends a mail and records the attempt. A mail is the same for every attempt, with the same Message-ID.
 * @throws every error that a retry may fix
 */
export async function sendRecorded(
  ctx: SiteContext,
  { kind, about, mailer, compose, record }: Sending,
): Promise<void> {
  if (!mailer) {
    const error = new Error('No mail server is set up.');
    await record({ outcome: 'delayed', answer: error.message });
    throw error;
  }
  const mail = await compose();
  if (!mail) return;
  let answer: string;
  try {
    answer = (await mailer.send(mail)).response;
  } catch (error) {
    const words = mailErrorWords(error);
    if (!(error instanceof MailRefused)) {
      await record({ outcome: 'delayed', answer: words });
      throw error;
    }
    ctx.log.warn({ err: error, ...about }, `sending a mail failed: ${kind}`);
    await noteMailFailure(ctx, kind, error);
    await record({ outcome: 'refused', answer: words });
    return;
  }
  // The mail has been sent: retrying only to record that would send it twice. It can still be sent twice, with the
  // same Message-ID, if the process or queue dies between the server's response and the end of the job.
  await record({ outcome: 'sent', answer }).catch((error: unknown) =>
    ctx.log.error({ err: error, ...about }, `a mail was sent, but recording it failed: ${kind}`),
  );
}
