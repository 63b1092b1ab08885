import type { Attributes, FieldChanges, FieldValue, FieldValues } from '@foyer/protocol';
import type { FieldOwner } from '@foyer/protocol/values/fields/field-names';
import type { Selectable } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';
import type { Definition } from '../sites/fields/field-values.ts';
import { valuesOfFields } from '../visitors/person-fields.ts';
import { readYesNo } from './cells.ts';

export type CustomField = Pick<Selectable<Tables['fields']>, 'key' | 'name' | 'kind' | 'choices'>;

/** The custom fields that imported records can have. */
export const customFields = ({ db, site }: SiteContext, owner: FieldOwner): Promise<CustomField[]> =>
  db
    .selectFrom('fields')
    .select(['key', 'name', 'kind', 'choices'])
    .where('site_id', '=', site.id)
    .where('applies_to', '=', owner)
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();

/** A list as Foyer exports it. */
function jsonList(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** Choices between semicolons or bars, or else between commas, which a single choice may contain. */
function choicesIn(text: string, choices: readonly string[]): string[] {
  if (choices.some((one) => one.toLowerCase() === text.toLowerCase())) return [text];
  const parts = jsonList(text) ?? text.split(/[;|]/.test(text) ? /[;|]/ : ',');
  return parts.map((one) => one.trim()).filter(Boolean);
}

/** A cell as what the field’s kind expects; anything else stays text, for the field to refuse. */
function cellValue({ kind, choices }: CustomField, text: string): FieldValue {
  if (kind === 'choices') return choicesIn(text, choices);
  if (kind === 'yes_no') return readYesNo(text) ?? text;
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  // Exports write a time of day with it.
  return kind === 'date' ? (/^\d{4}-\d{2}-\d{2}(?=[T ])/.exec(text)?.[0] ?? text) : text;
}

/** Cells by the keys of custom fields of tickets as changes; a key that no field has stays, to be refused. */
export function ticketFieldsIn(
  held: readonly Definition[],
  cells: Readonly<Record<string, string>>,
): FieldChanges {
  const fields = new Map(held.map((field) => [field.key, field]));
  const changes: FieldValues = {};
  for (const [key, text] of Object.entries(cells)) {
    const field = fields.get(key);
    changes[key] = field ? cellValue(field, text) : text;
  }
  return changes;
}

/**
 * Attributes as the custom fields of people store them.
 * @throws AppError 400 that names every attribute with a value that isn't of its field's kind
 */
export function personFieldsIn(
  ctx: SiteContext,
  held: readonly Definition[],
  key: string | undefined,
  attributes: Attributes,
): Promise<Attributes> {
  const fields = held.filter(({ archived_at }) => archived_at === null);
  const read: Attributes = { ...attributes };
  for (const field of fields) {
    const cell = attributes[field.key];
    if (typeof cell === 'string') read[field.key] = cellValue(field, cell);
  }
  return valuesOfFields(ctx, fields, { key: key ?? '', attributes: read });
}
