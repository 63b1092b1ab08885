import type { SegmentPart } from '@foyer/protocol';
import { formatNumber, locale } from '../../../language.ts';
import { valueText } from '../../../words.ts';
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

const isDate = (name: string, value: unknown): boolean =>
  isOwnTime(name) ||
  (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value)));

/** A rule as a sentence; nested groups are in brackets. */
export function ruleSentence(part: SegmentPart, isInner = false): string {
  if ('all' in part || 'any' in part) {
    const [parts, type] =
      'all' in part ? [part.all, 'conjunction' as const] : [part.any, 'disjunction' as const];
    const said = parts.map((one) => ruleSentence(one, true));
    const sentence = new Intl.ListFormat(locale(), { type }).format(said);
    return isInner && said.length > 1 ? `(${sentence})` : sentence;
  }
  if ('event' in part) {
    const { event: name, count, within_days: days } = part;
    const often = t(part.op === 'gte' ? 'said_event_gte' : 'said_event_lt', { name, count });
    return days === undefined ? often : t('said_within', { often, days: formatNumber(days) });
  }
  const name = attributeName(part.attribute);
  if (!('value' in part)) return t(`said_${part.op}`, { name });
  const { value } = part;
  if ((part.op === 'gt' || part.op === 'lt') && isDate(part.attribute, value))
    return t(part.op === 'gt' ? 'said_after' : 'said_before', { name, value: dateText(value) });
  return t(`said_${part.op}`, { name, value: typeof value === 'string' ? `“${value}”` : valueText(value) });
}
