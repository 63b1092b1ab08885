import type { RuleTrigger } from '@foyer/protocol';
import type { RuleEventDetails } from '../../db/column-types.ts';

/** Whether a stored change is one that the trigger asks for. */
export function isTriggered(
  trigger: RuleTrigger,
  { event, details }: { event: string; details: RuleEventDetails },
): boolean {
  if (trigger.on !== event) return false;
  if (trigger.on === 'ticket_updated')
    return !trigger.changed || trigger.changed.some((field) => details.changed?.includes(field));
  return !('from' in trigger) || trigger.from === undefined || trigger.from === details.from;
}
