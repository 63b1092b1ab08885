import type { Attributes, DeskIssue, FieldValue } from '@foyer/protocol';
import { invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { type Definition, isProblem, readValue } from '../sites/fields/field-values.ts';
import { findVisitor } from './rows.ts';

/**
 * The attributes as a person's fields of these names store them. What pages send doesn't come through here: a page's
 * mistake must not cost a visitor the chat.
 * @param pathOf where the caller named an attribute
 * @throws AppError 400 that names every attribute with a value that isn't of its field's kind
 */
export async function asFields(
  ctx: SiteContext,
  key: string,
  attributes: Attributes,
  pathOf?: (name: string) => string,
): Promise<Attributes> {
  const names = Object.keys(attributes);
  if (names.length === 0) return attributes;
  const fields = await ctx.db
    .selectFrom('fields')
    .select(['key', 'kind', 'choices'])
    .where('site_id', '=', ctx.site.id)
    .where('applies_to', '=', 'people')
    .where('archived_at', 'is', null)
    .where('key', 'in', names)
    .execute();
  return valuesOfFields(ctx, fields, { key, attributes, pathOf });
}

interface Reported {
  /** The person's key. */
  key: string;
  attributes: Attributes;
  pathOf?: ((name: string) => string) | undefined;
}

/** As `asFields`, with those of the site's fields that the attributes may have. @throws AppError 400 */
export async function valuesOfFields(
  { db, site }: SiteContext,
  fields: readonly Pick<Definition, 'key' | 'kind' | 'choices'>[],
  { key, attributes, pathOf = (name) => `attributes.${name}` }: Reported,
): Promise<Attributes> {
  const own = fields.filter((field) => Object.hasOwn(attributes, field.key));
  if (own.length === 0) return attributes;
  const known = (await findVisitor(db, site.id, key))?.attributes ?? {};
  const issues: DeskIssue[] = [];
  const read: Attributes = { ...attributes };
  for (const field of own) {
    const value = readValue(
      field,
      attributes[field.key] as FieldValue | null,
      known[field.key] as FieldValue | undefined,
    );
    if (isProblem(value)) issues.push({ path: pathOf(field.key), ...value });
    else read[field.key] = value;
  }
  if (issues.length > 0) throw invalidInput(issues);
  return read;
}
