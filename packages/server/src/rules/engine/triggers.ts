import {
  isOfficeTrigger,
  isTimeTrigger,
  type OfficeTrigger,
  type RuleTrigger,
  type TimeTrigger,
} from '@foyer/protocol';
import type { RuleEventDetails } from '../../db/column-types.ts';

/** Whether a record that has been in a state for this long triggers a rule. */
export const isTimed = (trigger: RuleTrigger): trigger is Extract<RuleTrigger, { on: TimeTrigger }> =>
  isTimeTrigger(trigger.on);

/** Whether an opening or closing triggers a rule. */
export const isOfOffice = (trigger: RuleTrigger): trigger is RuleTrigger & { on: OfficeTrigger } =>
  isOfficeTrigger(trigger.on);

/** Whether time triggers a rule, not a change: then it is polled (`rules.look_at`). */
export const isLookedFor = (trigger: RuleTrigger): boolean => isTimed(trigger) || isOfOffice(trigger);

const isPartOf = (part: string, whole: string | undefined): boolean =>
  whole?.toLowerCase().includes(part.toLowerCase()) === true;

/** Whether a stored change matches the rule's trigger. */
export function isTriggered(
  { id, trigger }: { id: number; trigger: RuleTrigger },
  { event, details }: { event: string; details: RuleEventDetails },
): boolean {
  if (trigger.on !== event) return false;
  if (isTimed(trigger) || isOfOffice(trigger)) return details.rule === id;
  if (trigger.on === 'page_viewed') return trigger.page === undefined || isPartOf(trigger.page, details.page);
  if (trigger.on === 'event_tracked') return trigger.name === undefined || trigger.name === details.name;
  if (trigger.on === 'ticket_updated')
    return !trigger.changed || trigger.changed.some((field) => details.changed?.includes(field));
  return !('from' in trigger) || trigger.from === undefined || trigger.from === details.from;
}
