import { createThreadPool, TaskError, type TaskLimits } from '../../base/threads/thread-pool.ts';
import { asBuffer, ownBytes } from '../../base/threads/transfer.ts';
import type { SiteContext } from '../../core/context.ts';
import { MailUnreadable, type Refusal } from '../../mime/limits.ts';
import type { MailRead, ReadWith } from './read-mail.ts';

/** The input of the thread. */
export interface Task extends ReadWith {
  raw: Uint8Array;
}

/** The answer of the thread, with the bytes that it was given. */
export type Answer =
  | { raw: Uint8Array; read: MailRead }
  | { unreadable: { reason: Refusal; message: string } };

/** The second is for other mails while one takes long. */
const THREADS_MAX = 2;
const IDLE_MS = 30_000;
/** 25 MB of files take less than a second of CPU time, 25 MB of text ten. */
const LIMITS: TaskLimits = { timeMaxMs: 90_000, cpuMaxMs: 30_000, memoryMaxMib: 512 };

const threads = createThreadPool<Task, Answer>({
  program: 'email/reading/read-thread',
  threadsMax: THREADS_MAX,
  idleMs: IDLE_MS,
  limits: LIMITS,
});

/**
 * Reads a mail in a worker thread, so that a large or hostile one blocks nobody else.
 * @param bytes transferred: the caller can use only those that are returned
 * @throws MailUnreadable for a mail over a limit, including CPU time and memory
 */
export async function readInThread(
  ctx: SiteContext,
  bytes: Buffer,
  { envelopeFrom, limits }: { envelopeFrom: string | null; limits?: Partial<TaskLimits> },
): Promise<MailRead & { raw: Buffer }> {
  const redaction = await ctx.services.redactionOf(ctx.site.id);
  const task = { raw: ownBytes(bytes), redaction, envelopeFrom };
  const answer = await threads.run(task, [task.raw], limits).catch((error: unknown) => {
    if (error instanceof TaskError && error.problem === 'too_costly')
      throw new MailUnreadable('too_complex', 'The message takes too much time or memory to read.');
    throw error;
  });
  if ('unreadable' in answer) throw new MailUnreadable(answer.unreadable.reason, answer.unreadable.message);
  const { mail, said, ...read } = answer.read;
  const received = <F extends { content: Uint8Array }>(files: readonly F[]) =>
    files.map((file) => ({ ...file, content: asBuffer(file.content) }));
  return {
    ...read,
    raw: asBuffer(answer.raw),
    mail: { ...mail, files: received(mail.files) },
    said: { ...said, files: received(said.files) },
  };
}
