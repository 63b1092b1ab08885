import type { CustomFieldCondition, InboxStatus } from '@foyer/protocol';
import { TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { oneOf } from '../../../address-search.ts';
import { formatNumber } from '../../../language.ts';
import { languageName } from '../../../language-name.ts';
import type { FilterName, InboxSearch } from '../list/inbox-search.ts';
import { priorityWord, statusWord } from '../ticket/ticket-words.ts';
import { t } from './t.ts';

/** The name of a chat's status where a ticket's could be meant too. */
export function inboxStatusWord(status: InboxStatus): string {
  const ofTicket = oneOf(status, TICKET_STATUSES);
  if (ofTicket) return statusWord(ofTicket);
  return status === 'bot' || status === 'waiting' || status === 'active' ? t(`chat_${status}`) : '';
}

/** The names of records that an address refers to by id. */
export interface Names {
  agent: (id: number) => string | undefined;
  segment: (id: number) => string | undefined;
  team: (id: number) => string | undefined;
}

/** A filter as a phrase. */
export function phraseOf(search: InboxSearch, name: FilterName, names: Names): string {
  const {
    channel,
    status,
    priority,
    assignee,
    team,
    tag = '',
    due,
    created,
    active,
    page = '',
    language,
    segment,
  } = search;
  switch (name) {
    case 'channel':
      return channel ? t(`channel_${channel}`) : '';
    case 'status':
      return status ? inboxStatusWord(status) : '';
    case 'priority':
      return priority ? priorityWord(priority) : '';
    case 'assignee':
      if (assignee === undefined || assignee === 'none') return t('nobody');
      return t('chip_assignee', { value: names.agent(assignee) ?? `#${assignee}` });
    case 'team':
      if (team === undefined || team === 'none') return t('no_team');
      return t('chip_team', { value: names.team(team) ?? `#${team}` });
    case 'tag':
      return t('chip_tag', { value: tag });
    case 'due':
      return due ? t(`due_${due}`) : '';
    case 'active':
      return active ? t('chip_active', { value: t(`span_${active}`) }) : '';
    case 'created':
      return created ? t('chip_created', { value: t(`span_${created}`) }) : '';
    case 'page':
      return t('chip_page', { value: page });
    case 'language':
      return language ? languageName(language) : '';
    case 'segment':
      return t('chip_segment', { value: names.segment(segment ?? 0) ?? `#${segment}` });
  }
}

/** A condition on a custom field as a phrase. */
export function fieldPhrase(condition: CustomFieldCondition, name: string): string {
  if (!('value' in condition)) return t(`chip_field_${condition.op}`, { name });
  const { op, value } = condition;
  const text = typeof value === 'boolean' ? t(value ? 'yes' : 'no') : value;
  return t(`chip_field_${op}`, { name, value: typeof text === 'number' ? formatNumber(text) : text });
}
