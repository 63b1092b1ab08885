import type {
  AttributeCondition,
  ConditionPart,
  CustomFieldCondition,
  EventCondition,
  SegmentPart,
} from '@foyer/protocol';
import { formatNumber, locale } from '../../../language.ts';
import { nameWithin, valueText } from '../../../words.ts';
import {
  fieldClauses,
  noneOf,
  officeClause,
  type RecordNames,
  wordsClause,
} from '../../conditions/record-words.ts';
import { t } from '../t.ts';
import { isOwnTime } from './rule-draft.ts';

const OWN = {
  email: 'fact_email',
  name: 'fact_name',
  key: 'fact_key',
  first_seen_utc: 'fact_first',
  last_seen_utc: 'fact_last',
} as const;
const isOwn = (name: string): name is keyof typeof OWN => Object.hasOwn(OWN, name);

/** An attribute's name: a visitor's own fields in the agent's language, others as the site calls them. */
export const attributeName = (name: string): string => (isOwn(name) ? t(OWN[name]) : name);

const dateText = (value: unknown): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.parse(String(value)),
  );

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value));

/** Segments name no records. */
const NO_NAMES: RecordNames = {
  agent: () => undefined,
  team: () => undefined,
  segment: () => undefined,
  field: () => undefined,
};

type Part = SegmentPart | ConditionPart;

function joined(clauses: string[], type: 'conjunction' | 'disjunction', isInner: boolean): string {
  const sentence = new Intl.ListFormat(locale(), { type }).format(clauses);
  return isInner && clauses.length > 1 ? `(${sentence})` : sentence;
}

/** The clauses of which any holds; words are one clause together. */
function anySaid(parts: readonly Part[], said: (parts: readonly Part[]) => string[]): string[] {
  const words = parts.flatMap((one) => ('contains' in one ? [one.contains] : []));
  const others = said(parts.filter((one) => !('contains' in one)));
  return words.length === 0 ? others : [wordsClause(words), ...others];
}

/** Conditions as a sentence; nested groups are in brackets. */
export function ruleSentence(part: Part, names = NO_NAMES, isInner = false): string {
  const said = (parts: readonly Part[]): string[] => parts.map((one) => ruleSentence(one, names, true));
  if ('all' in part) return joined(said(part.all), 'conjunction', isInner);
  if ('any' in part) return joined(anySaid(part.any, said), 'disjunction', isInner);
  if ('none' in part) return noneOf(joined(anySaid(part.none, said), 'disjunction', false));
  if ('contains' in part) return wordsClause([part.contains]);
  if ('office_hours' in part) return officeClause(part);
  if ('event' in part) return eventSentence(part);
  if ('attribute' in part) return comparison(attributeName(part.attribute), part, isOwnTime(part.attribute));
  if ('custom_field' in part)
    return comparison(nameWithin(names.field(part.custom_field) ?? part.custom_field), part, false);
  return joined(fieldClauses(part, names), 'conjunction', isInner);
}

function eventSentence({ event: name, op, count, within_days: days }: EventCondition): string {
  const often = t(op === 'gte' ? 'said_event_gte' : 'said_event_lt', { name, count });
  return days === undefined ? often : t('said_within', { often, days: formatNumber(days) });
}

/** A condition on an attribute or a custom field. */
function comparison(name: string, part: AttributeCondition | CustomFieldCondition, isTime: boolean): string {
  if (!('value' in part)) return t(`said_${part.op}`, { name });
  const { value } = part;
  if ((part.op === 'gt' || part.op === 'lt') && (isTime || isDate(value)))
    return t(part.op === 'gt' ? 'said_after' : 'said_before', { name, value: dateText(value) });
  return t(`said_${part.op}`, { name, value: typeof value === 'string' ? `“${value}”` : valueText(value) });
}
