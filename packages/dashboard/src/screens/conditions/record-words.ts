import type { FieldCondition, OfficeCondition } from '@foyer/protocol';
import { locale } from '../../language.ts';
import { nameWithin } from '../../words.ts';
import { inboxStatusWord, type Names } from '../inbox/filters/filter-words.ts';
import type { FilterName, InboxFilters } from '../inbox/list/inbox-search.ts';
import { filtersOf } from '../inbox/list/shown-search.ts';
import { priorityWord } from '../inbox/ticket/ticket-words.ts';
import { t } from './t.ts';

const languageWord = (code: string): string =>
  new Intl.DisplayNames([locale()], { type: 'language' }).of(code) ?? code;

const named = (name: string | undefined, missing: string): string =>
  name === undefined ? missing : nameWithin(name);

/** The names of what conditions on chats and tickets refer to. */
export interface RecordNames extends Names {
  /** Of a custom field, by its key. */
  field: (key: string) => string | undefined;
}

/** A field of a chat or ticket as a clause. */
const CLAUSES: { [K in FilterName]: (value: NonNullable<InboxFilters[K]>, names: Names) => string } = {
  channel: (value) => t(`said_channel_${value}`),
  status: (value) => t('said_status', { value: inboxStatusWord(value) }),
  priority: (value) => t('said_priority', { value: priorityWord(value) }),
  assignee: (value, names) =>
    value === 'none'
      ? t('said_assignee_none')
      : t('said_assignee', { value: named(names.agent(value), t('missing_agent')) }),
  team: (value, names) =>
    value === 'none'
      ? t('said_team_none')
      : t('said_team', { value: named(names.team(value), t('missing_team')) }),
  tag: (value) => t('said_tag', { value: nameWithin(value) }),
  due: (value) => t(`said_due_${value}`),
  active: (value) => t('said_active', { value: t(`span_${value}`) }),
  created: (value) => t('said_created', { value: t(`span_${value}`) }),
  page: (value) => t('said_page', { value: nameWithin(value) }),
  language: (value) => t('said_language', { value: languageWord(value) }),
  segment: (value, names) => t('said_segment', { value: named(names.segment(value), t('missing_segment')) }),
};

function clauseOf<K extends FilterName>(fields: InboxFilters, name: K, names: Names): string {
  const value = fields[name];
  return value === undefined ? '' : CLAUSES[name](value, names);
}

/** Fields of a chat or ticket as clauses, which all hold. */
export function fieldClauses(condition: FieldCondition, names: Names): string[] {
  const fields = filtersOf(condition);
  return (Object.keys(fields) as FilterName[]).map((name) => clauseOf(fields, name, names));
}

/** Words of a chat or ticket as a clause; of several, any will do. */
export const wordsClause = (texts: readonly string[]): string =>
  t('said_words', {
    words: new Intl.ListFormat(locale(), { type: 'disjunction' }).format(
      texts.map((text) => t('quoted', { text: nameWithin(text) })),
    ),
  });

/** Office hours as a clause. */
export const officeClause = ({ office_hours: state }: OfficeCondition): string => t(`said_office_${state}`);

/** That none of the parts hold. */
export const noneOf = (parts: string): string => t('said_none', { parts });
