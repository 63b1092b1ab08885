import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A child process that answers one question at a time, so that load generator and target share no event loop. */
export interface Child {
  readonly pid: number;
  /** @throws what the child threw. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

type Reply = { answer: unknown } | { failed: string };

export function startChild(file: string): Child {
  const child: ChildProcess = fork(join(import.meta.dirname, file), {
    stdio: 'inherit',
    serialization: 'advanced',
  });
  const gone = once(child, 'exit').then(() => {
    throw new Error(`${file} has ended`);
  });
  gone.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: object) {
      child.send(question);
      const [reply]: Reply[] = await Promise.race([once(child, 'message') as Promise<Reply[]>, gone]);
      if (!reply || 'failed' in reply) throw new Error(`${file}: ${reply?.failed}`);
      return reply.answer as Answer;
    },
    async stop() {
      child.disconnect();
      await gone.catch(() => undefined);
    },
  };
}

/** In the child: answers each question; ends with its parent. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (result) => process.send?.({ answer: result } satisfies Reply),
      (error) =>
        process.send?.({ failed: String(error instanceof Error ? error.stack : error) } satisfies Reply),
    );
  });
  process.on('disconnect', () => process.exit());
}
