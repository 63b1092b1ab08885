import {
  type AttributeCondition,
  type EventCondition,
  type SegmentPart,
  type SegmentRule,
  time,
} from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import type { VisitorRow } from '../rows.ts';

/** The part of a visitor that rules read. */
export type Judged = Pick<
  VisitorRow,
  'key' | 'email' | 'name' | 'attributes' | 'first_seen_at' | 'last_seen_at'
>;

/**
 * An event that a rule needs: when the `count`th newest of that name happened. That alone decides, with or without a
 * window.
 */
export interface Need {
  readonly event: string;
  readonly count: number;
}

/** Null: there are fewer. Undefined: not looked up. */
export type Reached = (event: string, count: number) => Date | null | undefined;

export interface Facts {
  readonly visitor: Judged;
  readonly now: Date;
  readonly reached: Reached;
}

const isAttribute = (part: SegmentPart): part is AttributeCondition => 'attribute' in part;
const isEvent = (part: SegmentPart): part is EventCondition => 'event' in part;

/** All conditions at any depth, left to right, without the `all` and `any` around them. */
export function* conditionsOf(part: SegmentPart): Generator<AttributeCondition | EventCondition> {
  if (isAttribute(part) || isEvent(part)) yield part;
  else for (const one of 'all' in part ? part.all : part.any) yield* conditionsOf(one);
}

/** The events that a rule needs, each once. */
export function needsOf(rule: SegmentRule): Need[] {
  const needs = new Map<string, Need>();
  for (const part of conditionsOf(rule)) {
    if (isEvent(part)) needs.set(`${part.count} ${part.event}`, { event: part.event, count: part.count });
  }
  return [...needs.values()];
}

function fieldOf(visitor: Judged, name: string): unknown {
  if (name === 'first_seen_utc') return visitor.first_seen_at;
  if (name === 'last_seen_utc') return visitor.last_seen_at;
  if (name === 'email' || name === 'name' || name === 'key') return visitor[name];
  return Object.hasOwn(visitor.attributes, name) ? visitor.attributes[name] : null;
}

const timeOf = (value: unknown): number | undefined => {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' && time.safeParse(value).success ? Date.parse(value) : undefined;
};

/** Compares a value with the wanted one; undefined if they can't be compared, such as text and a number. */
function difference(value: unknown, wanted: number | string): number | undefined {
  if (typeof wanted === 'number') return typeof value === 'number' ? value - wanted : undefined;
  const at = timeOf(value);
  return at === undefined ? undefined : at - Date.parse(wanted);
}

const same = (value: unknown, wanted: unknown): boolean =>
  typeof value === 'string' && typeof wanted === 'string'
    ? value.toLowerCase() === wanted.toLowerCase()
    : value === wanted;

function contains(value: unknown, wanted: string | number | boolean): boolean {
  if (Array.isArray(value)) return value.some((one) => same(one, wanted));
  if (typeof value !== 'string' || typeof wanted !== 'string') return false;
  return value.toLowerCase().includes(wanted.toLowerCase());
}

const equals = (name: string, value: unknown, wanted: unknown): boolean =>
  name === 'email' ? same(value, wanted) : value === wanted;

function holds(condition: AttributeCondition, visitor: Judged): boolean {
  const value = fieldOf(visitor, condition.attribute);
  switch (condition.op) {
    case 'set':
      return value !== null;
    case 'unset':
      return value === null;
    case 'eq':
      return equals(condition.attribute, value, condition.value);
    case 'ne':
      return !equals(condition.attribute, value, condition.value);
    case 'contains':
      return contains(value, condition.value);
    case 'gt':
      return (difference(value, condition.value) ?? 0) > 0;
    case 'lt':
      return (difference(value, condition.value) ?? 0) < 0;
  }
}

/** When the event leaves the condition's window; undefined without a window. */
const endOfWindow = ({ within_days: days }: EventCondition, at: Date): number | undefined =>
  days === undefined ? undefined : at.getTime() + days * DAY_MS;

function happened(condition: EventCondition, { now, reached }: Facts): boolean | undefined {
  const at = reached(condition.event, condition.count);
  if (at === undefined) return undefined;
  const enough = at !== null && (endOfWindow(condition, at) ?? Number.POSITIVE_INFINITY) > now.getTime();
  return condition.op === 'gte' ? enough : !enough;
}

/** Whether the rule matches; undefined if that depends on events that weren't looked up. */
export function evaluate(part: SegmentPart, facts: Facts): boolean | undefined {
  if (isAttribute(part)) return holds(part, facts.visitor);
  if (isEvent(part)) return happened(part, facts);
  const [parts, settling] = 'all' in part ? [part.all, false] : [part.any, true];
  let open = false;
  for (const one of parts) {
    const verdict = evaluate(one, facts);
    if (verdict === settling) return settling;
    open ||= verdict === undefined;
  }
  return open ? undefined : !settling;
}

/** When time alone may change the result; undefined for never. */
export function nextChange(rule: SegmentRule, facts: Facts): Date | undefined {
  let next = Number.POSITIVE_INFINITY;
  for (const part of conditionsOf(rule)) {
    const at = isEvent(part) ? facts.reached(part.event, part.count) : undefined;
    const end = at && isEvent(part) ? endOfWindow(part, at) : undefined;
    if (end !== undefined && end > facts.now.getTime()) next = Math.min(next, end);
  }
  return Number.isFinite(next) ? new Date(next) : undefined;
}

/** The names of the visitor's own fields that a rule reads. */
export const attributesReadBy = (rule: SegmentRule): Set<string> =>
  new Set([...conditionsOf(rule)].filter(isAttribute).map(({ attribute }) => attribute));
