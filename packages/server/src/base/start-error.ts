/**
 * A start that cannot go on. `message` is the one line that is printed before the process ends with exit
 * code 1, so it names what to change.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The first line of whatever was thrown, for use inside the one line of a StartError. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}
