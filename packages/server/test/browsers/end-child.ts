import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a program, and waits until it has exited. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
