/**
 * The process can't start. `message` is the one line printed before it exits with code 1, so it says what to
 * change.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The first line of anything that was thrown, to be quoted in the one line of a StartError. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}
