import { handlerOf } from '../../commands/commands.ts';
import { afterDone } from '../../desk/preferences.ts';

/** After closing, solving or snoozing: opens the next conversation of the list, if the agent has chosen that. */
export function goOn(): boolean {
  const goes = afterDone() === 'next';
  if (goes) handlerOf('next')?.run?.();
  return goes;
}
