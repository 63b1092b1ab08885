import type { Rule, RuleAction, RuleEvent, RuleTrigger } from '@foyer/protocol';
import { isTimeTrigger } from '@foyer/protocol/values/rules/rule-triggers';
import { locale } from '../../../language.ts';
import { nameWithin, valueText } from '../../../words.ts';
import type { RecordNames } from '../../conditions/record-words.ts';
import { priorityWord, statusWord } from '../../inbox/ticket/ticket-words.ts';
import { ruleSentence as conditionClause } from '../../visitors/segments/rule-words.ts';
import { lengthWords } from '../macros/StepFields.tsx';
import { TO_CHOOSE } from '../macros/steps.ts';
import { t } from './t.ts';

/** The names of what rules refer to. */
export interface RuleNames extends RecordNames {
  webhook: (id: number) => string | undefined;
}

const listed = (parts: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(locale(), { type }).format(parts);

/** The first letter of a clause that stands alone. */
export const capitalized = (clause: string): string =>
  clause.charAt(0).toLocaleUpperCase(locale()) + clause.slice(1);

/** What a trigger waits for, as a clause: `a chat starts`. */
export function triggerClause(trigger: RuleTrigger): string {
  switch (trigger.on) {
    case 'ticket_updated':
      return trigger.changed
        ? t('on_ticket_changed', {
            fields: listed(
              trigger.changed.map((field) => t(`changed_${field}`)),
              'disjunction',
            ),
          })
        : t('on_ticket_updated');
    case 'ticket_replied':
      return t(trigger.from ? `on_ticket_replied_${trigger.from}` : 'on_ticket_replied');
    case 'message_created':
      return t(trigger.from ? `on_message_created_${trigger.from}` : 'on_message_created');
    case 'page_viewed':
      return trigger.page
        ? t('on_page_viewed_part', { page: nameWithin(trigger.page) })
        : t('on_page_viewed');
    case 'event_tracked':
      return trigger.name
        ? t('on_event_tracked_name', { name: nameWithin(trigger.name) })
        : t('on_event_tracked');
    default:
      return 'minutes' in trigger
        ? t(`on_${trigger.on}`, { time: lengthWords(trigger.minutes) })
        : t(`on_${trigger.on}`);
  }
}

/** What triggered a run, as a clause. For how long something had lasted isn't in the log. */
export const eventClause = (event: RuleEvent): string =>
  isTimeTrigger(event) ? t(`timed_${event}`) : triggerClause({ on: event } as RuleTrigger);

/** The beginning of a text, without the dot at its end: the sentence has its own. */
const quoted = (text: string): string => nameWithin(text.replace(/\s+/g, ' ').trim().replace(/\.$/, ''));

const tagList = (tags: readonly string[]): string => listed(tags.map(nameWithin));

/** What an action does, as a clause: `assign it to Ada`. */
export function actionClause(action: RuleAction, names: RuleNames): string {
  switch (action.type) {
    case 'reply':
    case 'note':
      return t(`do_${action.type}`, { text: quoted(action.body) });
    case 'set_status':
      return t('do_set_status', { status: statusWord(action.status) });
    case 'set_priority':
      return t('do_set_priority', { priority: priorityWord(action.priority) });
    case 'assign':
      return action.assignee_id === null
        ? t('do_unassign')
        : t('do_assign', { name: nameWithin(names.agent(action.assignee_id) ?? t('gone_agent')) });
    case 'assign_team':
      if (action.team_id === null) return t('do_unassign_team');
      if (action.team_id === TO_CHOOSE) return t('do_assign_some_team');
      return t('do_assign_team', { name: nameWithin(names.team(action.team_id) ?? t('gone_team')) });
    case 'add_tags':
      return t(action.tags.length === 1 ? 'do_add_tag' : 'do_add_tags', { tags: tagList(action.tags) });
    case 'remove_tags':
      return t(action.tags.length === 1 ? 'do_remove_tag' : 'do_remove_tags', { tags: tagList(action.tags) });
    case 'snooze':
      return t('do_snooze', { time: lengthWords(action.minutes) });
    case 'set_field': {
      const field = nameWithin(names.field(action.field) ?? action.field);
      return action.value === null
        ? t('do_clear_field', { field })
        : t('do_set_field', { field, value: nameWithin(valueText(action.value)) });
    }
    case 'send_email':
      return action.team_id === undefined
        ? t('do_email', { address: nameWithin(action.address ?? '') })
        : t('do_email_team', { name: nameWithin(names.team(action.team_id) ?? t('gone_team')) });
    case 'call_webhook': {
      const name = names.webhook(action.webhook_id);
      return name === undefined
        ? t('do_call_some_webhook')
        : t('do_call_webhook', { name: nameWithin(name) });
    }
    case 'block':
      return t('do_block');
    case 'stop_bot':
    case 'start_bot':
    case 'request_rating':
      return t(`do_${action.type}`);
  }
}

/** Actions in their order, as one clause. */
export const actionsClause = (actions: readonly RuleAction[], names: RuleNames): string =>
  actions.length === 0 ? t('do_nothing') : listed(actions.map((action) => actionClause(action, names)));

/** A whole rule as a sentence. */
export function ruleSentence(
  { trigger, conditions, actions }: Pick<Rule, 'trigger' | 'conditions' | 'actions'>,
  names: RuleNames,
): string {
  const parts = { trigger: triggerClause(trigger), actions: actionsClause(actions, names) };
  return conditions
    ? t('sentence_if', { ...parts, conditions: conditionClause(conditions, names) })
    : t('sentence_always', parts);
}
