import { type Html, type HtmlPart, html } from '../../base/html.ts';
import { refName } from './schemas.ts';
import type { JsonSchema } from './types.ts';

type Records = Readonly<Record<string, JsonSchema>>;

/** A text whose `code` is marked up. */
export const prose = (text: string): HtmlPart[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

/** Follows one reference. Returns the schema itself if it is none, or refers to an unknown record. */
export const resolve = (schema: JsonSchema, records: Records): JsonSchema =>
  records[refName(schema) ?? ''] ?? schema;

const isNull = ({ type }: JsonSchema): boolean => type === 'null';
/** The choices of a schema, without null. */
const choicesOf = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? []).filter((choice) => !isNull(choice));

const PLURALS: Readonly<Record<string, string>> = {
  integer: 'integers',
  string: 'strings',
  object: 'objects',
};

function plainType(schema: JsonSchema): string {
  if (schema.format === 'date-time') return 'time';
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types[0] === 'array') {
    const items = schema.items || {};
    const inner = refName(items) ? 'object' : typeText(items, {});
    return inner === 'never' ? 'array' : `array of ${PLURALS[inner] ?? inner}`;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return types.join(' or ') || 'any value';
}

/** A type in words: `string or null`, `array of objects`. */
function typeText(schema: JsonSchema, records: Records): string {
  if (schema.not) return 'never';
  const known = resolve(schema, records);
  const choices = choicesOf(known);
  const words =
    choices.length > 0
      ? [...new Set(choices.map((choice) => typeText(choice, records)))].join(' or ')
      : refName(known)
        ? 'object'
        : plainType(known);
  const nullable = [known.type ?? []].flat().includes('null') || (known.anyOf ?? []).some(isNull);
  return nullable ? `${words} or null` : words;
}

const range = (min: number | undefined, max: number | undefined, unit: string): string | undefined => {
  const shown = (value: number): string => value.toLocaleString('en-US');
  if (max !== undefined) return min ? `${shown(min)}–${shown(max)}${unit}` : `at most ${shown(max)}${unit}`;
  // A minimum of 1 isn't worth mentioning: every id is at least 1, every required text has a character.
  return min !== undefined && min > 1 ? `at least ${shown(min)}${unit}` : undefined;
};

/** The bounds of a value, in words. */
function boundsOf(schema: JsonSchema): (string | undefined)[] {
  return [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, schema.maxItems === 1 ? ' item' : ' items'),
  ];
}

/** The only choice besides null, or the schema itself: bounds and values are taken from it. */
const main = (schema: JsonSchema, records: Records): JsonSchema => {
  const known = resolve(schema, records);
  const [only, ...more] = choicesOf(known);
  return only && more.length === 0 ? resolve(only, records) : known;
};

function notesOf(schema: JsonSchema, records: Records): HtmlPart[] {
  const known = main(schema, records);
  const notes: HtmlPart[] = boundsOf(known).filter((bound) => bound !== undefined);
  const fallback = schema.default ?? known.default;
  if (fallback !== undefined) notes.push(html`default <code>${String(fallback)}</code>`);
  return notes.flatMap((note, at) => (at === 0 ? [note] : [', ', note]));
}

function valuesOf(schema: JsonSchema, records: Records): HtmlPart {
  const known = main(schema, records);
  const choices = known.enum ?? (known.type === 'array' && known.items ? known.items.enum : undefined);
  if (!choices) return null;
  return html`<p class="values">${choices.map((choice) => html`<code>${String(choice)}</code> `)}</p>`;
}

/** The objects whose fields are shown below a field: itself, its items, or each of its choices. */
function innerObjects(
  schema: JsonSchema,
  records: Records,
): { title: string; schema: JsonSchema; name: string }[] {
  const name = refName(schema) ?? '';
  const known = resolve(schema, records);
  if (known.type === 'array' || [known.type].flat().includes('array')) {
    return known.items ? innerObjects(known.items, records) : [];
  }
  const choices = choicesOf(known);
  if (choices.length > 0) return choices.flatMap((choice) => innerObjects(choice, records));
  if (!known.properties) return [];
  const fixed = Object.entries(known.properties).find(([, field]) => typeof field.const === 'string');
  // Named by the constant that distinguishes it, or else by its fields.
  const title = fixed ? `${fixed[0]}: ${fixed[1].const}` : Object.keys(known.properties).join(', ');
  return [{ title, schema: known, name }];
}

interface FieldOptions {
  records: Records;
  /** Marks required fields: for requests. */
  demands: boolean;
}

/** The fields of an object; those of inner objects are folded below them. */
export function fieldList(object: JsonSchema, options: FieldOptions, above: readonly string[] = []): Html {
  const fields = Object.entries(object.properties ?? {});
  return html`<dl class="fields">${fields.map(([name, schema]) =>
    fieldOf(name, schema, object.required?.includes(name) ?? false, options, above),
  )}</dl>`;
}

/**
 * A `dt` and a `dd`; fields of inner objects are folded. `above` names the enclosing records, which aren't shown
 * again.
 */
export function fieldOf(
  name: string,
  schema: JsonSchema,
  required: boolean,
  options: FieldOptions,
  above: readonly string[] = [],
): Html {
  const { records, demands } = options;
  const description = schema.description ?? resolve(schema, records).description;
  const notes = notesOf(schema, records);
  // A recursive record is shown once.
  const inner = innerObjects(schema, records).filter((one) => one.name === '' || !above.includes(one.name));
  return html`<dt><code class="name">${name}</code> <span class="type">${typeText(schema, records)}</span>${
    demands && required && html` <span class="required">required</span>`
  }</dt><dd>${description !== undefined && html`<p>${prose(description)}</p>`}${
    notes.length > 0 && html`<p class="bounds">${notes}</p>`
  }${valuesOf(schema, records)}${inner.map(
    (one) =>
      html`<details><summary>Fields of <code>${name}</code>${inner.length > 1 && html` with <code>${one.title}</code>`}</summary>${fieldList(
        one.schema,
        options,
        [...above, one.name],
      )}</details>`,
  )}</dd>`;
}
