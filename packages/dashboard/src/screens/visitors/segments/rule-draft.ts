import type {
  AttributeCondition,
  AttributeKind,
  ConditionGroup,
  ConditionPart,
  CustomFieldCondition,
  Field,
  FieldCondition,
  OfficeCondition,
  RecordCondition,
  SegmentPart,
  SegmentRule,
  VisitorFields,
} from '@foyer/protocol';
import { SEGMENT_COUNT_MAX, SEGMENT_DAYS_MAX } from '@foyer/protocol/values/bounds';
import { type FilterName, filterOf, readInboxSearch } from '../../inbox/list/inbox-search.ts';
import { filtersOf } from '../../inbox/list/shown-search.ts';
import { kindOf, readValue, textOf } from '../person/attribute-value.ts';

type AttributeOp = 'eq' | 'ne' | 'contains' | 'gt' | 'lt' | 'set' | 'unset';

/** What a condition compares: a visitor's own times are dates, everything else goes by its kind. */
export type ValueKind = Exclude<AttributeKind, 'list'> | 'date';

/** A rule being built. Each part keeps all fields, even those it doesn't need at the moment. */
export interface AttributeDraft {
  type: 'attribute';
  id: number;
  /** Whose it is: a chat's or ticket's is a custom field, by its key. */
  of: 'visitor' | 'record';
  name: string;
  op: AttributeOp;
  kind: ValueKind;
  text: string;
  /**
   * The exact time behind the date in the field: a program may have set it, and it stays until another date is
   * chosen.
   */
  time?: string;
}
export interface EventDraft {
  type: 'event';
  id: number;
  name: string;
  op: 'gte' | 'lt';
  count: string;
  /** Empty: any time. */
  days: string;
}
/** Fields of the inbox's filter, which all must match. The editor makes them with one, programs may with several. */
export interface FieldDraft {
  type: 'field';
  id: number;
  fields: { name: FilterName; value: string }[];
}
/** Words of a chat or ticket. */
export interface WordsDraft {
  type: 'words';
  id: number;
  text: string;
}
/** Whether the office hours of a chat's or ticket's team or site are open. */
export interface OfficeDraft {
  type: 'office';
  id: number;
  state: OfficeCondition['office_hours'];
}
export interface GroupDraft {
  type: 'group';
  id: number;
  match: 'all' | 'any' | 'none';
  parts: PartDraft[];
}
/** Only rules about chats and tickets have fields, words, office hours and `none`. */
export type PartDraft = AttributeDraft | EventDraft | FieldDraft | WordsDraft | OfficeDraft | GroupDraft;

let lastId = 0;
const newId = (): number => ++lastId;

export const OWN_TEXTS = ['email', 'name', 'key'] as const;
export const OWN_TIMES = ['first_seen_utc', 'last_seen_utc'] as const;
/** Whether a name is a text field of every visitor, such as the email address. */
const isOwnText = (name: string): boolean => OWN_TEXTS.some((own) => own === name);
/** Whether a name is a time field of every visitor. */
export const isOwnTime = (name: string): boolean => OWN_TIMES.some((own) => own === name);

/** An empty condition on an attribute. */
export const newAttribute = (name = ''): AttributeDraft => ({
  type: 'attribute',
  id: newId(),
  of: 'visitor',
  name,
  op: isOwnTime(name) ? 'gt' : 'eq',
  kind: isOwnTime(name) ? 'date' : 'text',
  text: '',
});
/** An empty condition on a custom field of chats or tickets. */
export const newCustomField = (): AttributeDraft => ({ ...newAttribute(), of: 'record' });
/** What values of a custom field are compared as. */
export const kindOfField = ({ kind }: Field): ValueKind => {
  if (kind === 'yes_no') return 'boolean';
  return kind === 'number' || kind === 'date' ? kind : 'text';
};
/** An empty condition on an event. */
export const newEvent = (name = ''): EventDraft => ({
  type: 'event',
  id: newId(),
  name,
  op: 'gte',
  count: '1',
  days: '',
});
/** A condition on a field of chats and tickets, without a value. */
export const newField = (name: FilterName = 'status'): FieldDraft => ({
  type: 'field',
  id: newId(),
  fields: [{ name, value: '' }],
});
/** A condition on words, without any. */
export const newWords = (text = ''): WordsDraft => ({ type: 'words', id: newId(), text });
/** A condition on office hours. */
export const newOffice = (state: OfficeDraft['state'] = 'open'): OfficeDraft => ({
  type: 'office',
  id: newId(),
  state,
});
/** A group, by default with one empty condition. */
export const newGroup = (
  match: GroupDraft['match'] = 'any',
  parts: PartDraft[] = [newAttribute()],
): GroupDraft => ({
  type: 'group',
  id: newId(),
  match,
  parts,
});

/** The operators for a name whose values are of this kind. */
export function opsFor(name: string, kind: ValueKind): readonly AttributeOp[] {
  if (isOwnTime(name)) return ['gt', 'lt'];
  if (isOwnText(name)) return ['eq', 'ne', 'contains', 'set', 'unset'];
  if (kind === 'number') return ['eq', 'ne', 'gt', 'lt', 'set', 'unset'];
  if (kind === 'boolean') return ['eq', 'ne', 'set', 'unset'];
  if (kind === 'date') return ['gt', 'lt', 'set', 'unset'];
  return ['eq', 'ne', 'contains', 'set', 'unset'];
}

/** Whether an operator compares with a value. */
export const needsValue = (op: AttributeOp): boolean => op !== 'set' && op !== 'unset';

/** The kind of values that an attribute has had so far. */
export function kindKnown(name: string, fields: VisitorFields | undefined): ValueKind {
  if (isOwnTime(name)) return 'date';
  if (isOwnText(name)) return 'text';
  const kind = fields?.attributes.find((one) => one.name === name)?.kinds[0] ?? 'text';
  return kind === 'list' ? 'text' : kind;
}

/** The draft with another name, keeping whatever still makes sense. */
export function renamed(draft: AttributeDraft, name: string, kind: ValueKind): AttributeDraft {
  const [first = 'eq'] = opsFor(name, kind);
  const op = opsFor(name, kind).includes(draft.op) ? draft.op : first;
  const text = kind === draft.kind ? draft.text : kind === 'boolean' ? 'true' : '';
  return { ...draft, name, kind, op, text };
}

/** A draft for editing stored conditions. */
export function draftOf(part: SegmentPart | ConditionPart): PartDraft {
  if ('all' in part) return newGroup('all', part.all.map(draftOf));
  if ('any' in part) return newGroup('any', part.any.map(draftOf));
  if ('none' in part) return newGroup('none', part.none.map(draftOf));
  if ('event' in part)
    return {
      ...newEvent(part.event),
      op: part.op,
      count: String(part.count),
      days: part.within_days === undefined ? '' : String(part.within_days),
    };
  if ('contains' in part) return newWords(part.contains);
  if ('office_hours' in part) return newOffice(part.office_hours);
  if ('attribute' in part) return attributeDraftOf(part.attribute, part);
  if ('custom_field' in part) return { ...attributeDraftOf('', part), of: 'record', name: part.custom_field };
  return fieldDraftOf(part);
}

const fieldDraftOf = (condition: FieldCondition): FieldDraft => ({
  ...newField(),
  fields: Object.entries(filtersOf(condition)).map(([name, value]) => ({
    name: name as FilterName,
    value: String(value),
  })),
});

function attributeDraftOf(name: string, part: AttributeCondition | CustomFieldCondition): AttributeDraft {
  const value = 'value' in part ? part.value : '';
  const isTime = (part.op === 'gt' || part.op === 'lt') && typeof value === 'string';
  const kind = kindOf(value);
  return {
    ...newAttribute(name),
    op: part.op,
    kind: isTime || isOwnTime(name) ? 'date' : kind === 'list' ? 'text' : kind,
    text: isTime ? value.slice(0, 10) : textOf(value),
    ...(isTime ? { time: value } : {}),
  };
}

/** The error of a field, as a key of the phrase table. */
type Fault = 'name' | 'value' | 'number' | 'date' | 'count' | 'days' | 'empty';
export interface DraftFault {
  id: number;
  field: 'name' | 'value' | 'count' | 'days' | 'parts';
  fault: Fault;
}

const wholeBetween = (text: string, most: number): number | undefined => {
  const number = Number(text);
  return /^\d+$/.test(text.trim()) && number >= 1 && number <= most ? number : undefined;
};

function valueIn({ kind, text, time }: AttributeDraft): string | number | boolean | undefined {
  if (kind === 'date' && time?.slice(0, 10) === text) return time;
  if (kind === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
  const value = readValue(kind, text);
  return typeof value === 'object' ? undefined : value;
}

/** All errors of a part and its contents, in the order of the fields. */
export function faultsOf(part: PartDraft): DraftFault[] {
  const { id } = part;
  if (part.type === 'group')
    return part.parts.length === 0
      ? [{ id, field: 'parts', fault: 'empty' }]
      : part.parts.flatMap((one) => faultsOf(one));
  if (part.type === 'office') return [];
  if (part.type === 'words') return part.text.trim() === '' ? [{ id, field: 'value', fault: 'value' }] : [];
  if (part.type === 'field')
    return fieldsRead(part).length < part.fields.length ? [{ id, field: 'value', fault: 'value' }] : [];
  const faults: DraftFault[] = part.name.trim() === '' ? [{ id, field: 'name', fault: 'name' }] : [];
  if (part.type === 'event') {
    if (wholeBetween(part.count, SEGMENT_COUNT_MAX) === undefined)
      faults.push({ id, field: 'count', fault: 'count' });
    if (part.days.trim() !== '' && wholeBetween(part.days, SEGMENT_DAYS_MAX) === undefined)
      faults.push({ id, field: 'days', fault: 'days' });
  } else if (needsValue(part.op) && valueIn(part) === undefined) {
    const fault = part.kind === 'number' || part.kind === 'date' ? part.kind : 'value';
    faults.push({ id, field: 'value', fault });
  }
  return faults;
}

const searchOf = ({ fields }: FieldDraft) =>
  readInboxSearch(Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()])));

/** The fields that have a value. */
const fieldsRead = (part: FieldDraft): string[] => Object.keys(searchOf(part));

function conditionOf(part: Exclude<PartDraft, GroupDraft>): RecordCondition {
  if (part.type === 'words') return { contains: part.text.trim() };
  if (part.type === 'office') return { office_hours: part.state };
  if (part.type === 'field') return filterOf(searchOf(part));
  const name = part.name.trim();
  if (part.type === 'event') {
    const days = wholeBetween(part.days, SEGMENT_DAYS_MAX);
    return {
      event: name,
      op: part.op,
      count: wholeBetween(part.count, SEGMENT_COUNT_MAX) ?? 1,
      ...(days === undefined ? {} : { within_days: days }),
    };
  }
  const compared = comparisonOf(part);
  return part.of === 'record' ? { custom_field: name, ...compared } : { attribute: name, ...compared };
}

function comparisonOf(part: AttributeDraft) {
  const { op } = part;
  if (op === 'set' || op === 'unset') return { op };
  const value = valueIn(part) ?? '';
  if (op === 'gt' || op === 'lt') return { op, value: typeof value === 'boolean' ? 0 : value };
  return { op, value };
}

/** The conditions of a draft without errors. The editor offers no group too deep, and the server checks it. */
export function conditionsOf({ match, parts }: GroupDraft): ConditionGroup {
  const made = parts.map((part) => (part.type === 'group' ? conditionsOf(part) : conditionOf(part)));
  if (match === 'none') return { none: made };
  return match === 'all' ? { all: made } : { any: made };
}

/** The rule of a segment's draft without errors. Segments are offered only the conditions that they have. */
export const ruleOf = (group: GroupDraft): SegmentRule => conditionsOf(group) as SegmentRule;

/** The number of conditions, including those in groups. */
export const countConditions = (part: PartDraft): number =>
  part.type === 'group' ? part.parts.reduce((sum, one) => sum + countConditions(one), 0) : 1;

/** The draft with one part changed, or removed if `change` returns undefined. */
export function withPart(
  group: GroupDraft,
  id: number,
  change: (part: PartDraft) => PartDraft | undefined,
): GroupDraft {
  const changed = (part: PartDraft): PartDraft | undefined => {
    if (part.id === id) return change(part);
    return part.type === 'group' ? withPart(part, id, change) : part;
  };
  const own = group.id === id ? change(group) : group;
  if (own?.type !== 'group') return group;
  return { ...own, parts: own.parts.flatMap((part) => changed(part) ?? []) };
}
