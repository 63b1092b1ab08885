import type { DeskIssue, FieldChanges, FieldValue, FieldValues, TicketChanges } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import type { Selectable } from 'kysely';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Tables } from '../../db/tables.generated.ts';

/** The definition of a field. */
export type Definition = Pick<
  Selectable<Tables['fields']>,
  'id' | 'key' | 'name' | 'kind' | 'choices' | 'archived_at'
>;
/** The part of a field that reading its values needs. */
type Form = Pick<Definition, 'kind' | 'choices'>;
type Problem = Pick<DeskIssue, 'message' | 'reason'>;

/** The values after a change, and the rows to write for it. */
export interface ChangedFields {
  after: FieldValues;
  changed: { field: Definition; value: FieldValue | null }[];
}

const problem = (message: string, reason: DeskIssue['reason'] = 'form'): Problem => ({
  message,
  ...(reason && { reason }),
});
const CHOICES_NAMED = 10;

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isLink(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

/** The choice as the field spells it, ignoring case; a value that is stored already is accepted as well. */
function choiceIn({ choices }: Form, text: string, known: readonly string[]): string | undefined {
  return choices.find((one) => one.toLowerCase() === text.toLowerCase()) ?? known.find((one) => one === text);
}

const notAChoice = ({ choices }: Form): Problem =>
  problem(
    choices.length > CHOICES_NAMED
      ? 'must be one of its choices'
      : `must be one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`,
    'choice',
  );

function readText(
  field: Form,
  given: FieldValue,
  known: FieldValue | undefined,
): FieldValue | null | Problem {
  if (typeof given !== 'string') return problem('must be text');
  if (!isStorable(given)) return problem('must not contain NUL or unpaired surrogates');
  const text = given.trim();
  if (text === '') return null;
  if (field.kind === 'date') return isDate(text) ? text : problem('must be a date such as 2026-12-31');
  if (field.kind === 'link')
    return isLink(text) ? text : problem('must be an address that begins with https:// or http://');
  if (field.kind === 'choice')
    return choiceIn(field, text, typeof known === 'string' ? [known] : []) ?? notAChoice(field);
  return text;
}

function readChoices(
  field: Form,
  given: FieldValue,
  known: FieldValue | undefined,
): FieldValue | null | Problem {
  if (!Array.isArray(given)) return problem('must be a list of choices');
  const found = given.map((one) => choiceIn(field, String(one).trim(), Array.isArray(known) ? known : []));
  if (found.includes(undefined)) return notAChoice(field);
  // In the field's order, so that the same choices are the same value.
  const placeOf = (one: string): number => {
    const place = field.choices.indexOf(one);
    return place < 0 ? field.choices.length : place;
  };
  const chosen = [...new Set(found.flatMap((one) => one ?? []))].sort((a, b) => placeOf(a) - placeOf(b));
  return chosen.length === 0 ? null : chosen;
}

/**
 * A value as it is stored, by the field's kind; null for none.
 * @param known the record's current value: it stays valid once it is no longer a choice
 */
export function readValue(
  field: Form,
  given: FieldValue | null,
  known?: FieldValue,
): FieldValue | null | Problem {
  if (given === null) return null;
  switch (field.kind) {
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? given : problem('must be a number');
    case 'yes_no':
      return typeof given === 'boolean' ? given : problem('must be true or false');
    case 'choices':
      return readChoices(field, given, known);
    default:
      return readText(field, given, known);
  }
}

/** Whether `readValue` refused the value. */
export const isProblem = (value: FieldValue | null | Problem): value is Problem =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (one: FieldValue | null | undefined, other: FieldValue | null | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The fields with these keys, or all. They can't be deleted until the caller's transaction ends. */
export const holdFields = (
  { db, site }: SiteContext,
  owner: FieldOwner,
  keys?: readonly string[],
): Promise<Definition[]> =>
  db
    .selectFrom('fields')
    .select(['id', 'key', 'name', 'kind', 'choices', 'archived_at'])
    .where('site_id', '=', site.id)
    .where('applies_to', '=', owner)
    .$if(keys !== undefined, (all) => all.where('key', 'in', keys ?? []))
    .orderBy('id')
    .forKeyShare()
    .execute();

/**
 * Reads the changes of a record's fields, in the caller's transaction.
 * @param known the record's current values
 * @throws AppError 400 that names every field with a wrong value, and every archived or unknown field
 */
export async function readChanges(
  tx: SiteContext,
  owner: FieldOwner,
  known: FieldValues,
  changes: FieldChanges | undefined,
): Promise<ChangedFields> {
  const keys = Object.keys(changes ?? {});
  if (keys.length === 0) return { after: known, changed: [] };
  return checkChanges(await holdFields(tx, owner, keys), owner, known, changes);
}

/**
 * As `readChanges`, with fields that the caller holds.
 * @throws AppError 400
 */
export function checkChanges(
  held: readonly Definition[],
  owner: FieldOwner,
  known: FieldValues,
  changes: FieldChanges | undefined,
): ChangedFields {
  const fields = new Map(held.map((field) => [field.key, field]));
  const issues: DeskIssue[] = [];
  const changed: ChangedFields['changed'] = [];
  for (const [key, wanted] of Object.entries(changes ?? {})) {
    const path = `fields.${key}`;
    const field = fields.get(key);
    if (!field) issues.push({ path, message: `isn’t a field of ${owner}`, reason: 'unknown_field' });
    else if (field.archived_at) issues.push({ path, message: 'is archived', reason: 'unknown_field' });
    else {
      const value = readValue(field, wanted, known[key]);
      if (isProblem(value)) issues.push({ path, ...value });
      else if (!same(value, known[key])) changed.push({ field, value });
    }
  }
  if (issues.length > 0) throw invalidInput(issues);
  const entries = new Map(Object.entries(known));
  for (const { field, value } of changed) {
    if (value === null) entries.delete(field.key);
    else entries.set(field.key, value);
  }
  return { after: Object.fromEntries(entries), changed };
}

const DONE = { tickets: ['ticket', 'solved'], chats: ['chat', 'closed'] } as const;

/**
 * Whether a ticket may be solved or a chat closed by the team.
 * @throws AppError 400 that names every required field without a value
 */
export async function checkRequired(
  { db, site }: SiteContext,
  owner: 'tickets' | 'chats',
  values: FieldValues,
): Promise<void> {
  const required = await db
    .selectFrom('fields')
    .select(['key', 'name'])
    .where('site_id', '=', site.id)
    .where('applies_to', '=', owner)
    .where('required', '=', true)
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const missing = required.filter(({ key }) => !Object.hasOwn(values, key));
  if (missing.length === 0) return;
  const [what, done] = DONE[owner];
  const keys = missing.map(({ key, name }) => `${name} (${key})`).join(', ');
  throw new AppError('invalid_input', `This ${what} can’t be ${done} without a value for: ${keys}.`, {
    reason: 'fields_missing',
    values: { name: missing.map(({ name }) => name).join(', ') },
    issues: missing.map(({ key }) => ({
      path: `fields.${key}`,
      message: `is required before a ${what} is ${done}`,
      reason: 'missing',
    })),
  });
}

/** The differences between values, by `fields.KEY`, so that a long text isn't repeated with every other change. */
export function fieldsBetween(old: FieldValues, now: FieldValues): TicketChanges {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = keys.filter((key) => !same(old[key], now[key]));
  return Object.fromEntries(changed.map((key) => [`fields.${key}`, [old[key] ?? null, now[key] ?? null]]));
}
