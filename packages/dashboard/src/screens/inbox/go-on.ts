import { handlerOf } from '../../commands/commands.ts';
import { afterDone } from '../../desk/preferences.ts';

/** After something was closed, solved or snoozed: opens the next of the list for whoever wants it so. */
export function goOn(): boolean {
  const goes = afterDone() === 'next';
  if (goes) handlerOf('next')?.run?.();
  return goes;
}
