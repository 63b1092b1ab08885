/** The entry of the worker threads in which mails are read: see `reader.ts`. */
import { answerTasks } from '../../base/threads/answer-tasks.ts';
import { asBuffer, ownBytes } from '../../base/threads/transfer.ts';
import { MailUnreadable } from '../../mime/limits.ts';
import { type MailRead, readMail } from './read-mail.ts';
import type { Answer, Task } from './reader.ts';

const filesOf = ({ mail, said }: MailRead) => [...mail.files, ...said.files];

async function answer({ raw, ...readWith }: Task): Promise<Answer> {
  try {
    const read = await readMail(asBuffer(raw), readWith);
    for (const file of filesOf(read)) file.content = ownBytes(file.content);
    return { raw, read };
  } catch (error) {
    if (!(error instanceof MailUnreadable)) throw error;
    return { unreadable: { reason: error.reason, message: error.message } };
  }
}

answerTasks(answer, (output) =>
  'read' in output ? [output.raw, ...filesOf(output.read).map(({ content }) => content)] : [],
);
