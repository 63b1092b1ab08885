import { type Field, fieldKey, type OutputOf, type ParsedInputOf } from '@foyer/protocol';
import { FIELD_KEY_MAX, FIELDS_MAX, type FieldOwner } from '@foyer/protocol/values/fields/field-names';
import { type Selectable, sql } from 'kysely';
import { AppError, invalidInput, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { positionBehind, positionPage } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockSite } from '../sites.ts';
import { indexAgain, isSearched, recordsOf } from './field-words.ts';

// Desks reload fields with the agents.
const records = new SiteRecords('fields', 'field', {
  conflict: () => new AppError('conflict', 'Another field has this key.', { reason: 'name_taken' }),
  notice: { kind: 'agents' },
});

export type FieldRow = Selectable<Tables['fields']>;

const presentField = (row: FieldRow): Field => ({
  id: row.id,
  applies_to: row.applies_to,
  key: row.key,
  name: row.name,
  kind: row.kind,
  choices: row.choices,
  position: row.position,
  required: row.required,
  visible: row.visible,
  archived_utc: row.archived_at?.toISOString() ?? null,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

/** A page by position or, with `id`, that one. @throws AppError 404, also for another site's. */
export async function listFields(
  ctx: SiteContext,
  { id, applies_to, state, ...input }: ParsedInputOf<'fields.list'>,
): Promise<OutputOf<'fields.list'>> {
  if (id !== undefined) return presentField(await records.get(ctx, id));
  const all = ctx.db
    .selectFrom('fields')
    .selectAll()
    .where('site_id', '=', ctx.site.id)
    .$if(state !== 'all', (rows) => rows.where('archived_at', state === 'active' ? 'is' : 'is not', null))
    .$if(applies_to !== undefined, (rows) => rows.where('applies_to', '=', applies_to ?? 'tickets'));
  const page = await positionPage(all, input);
  return { ...page, items: page.items.map(presentField) };
}

const hasChoices = (kind: Field['kind']): boolean => kind === 'choice' || kind === 'choices';

/** Keys of data that every person has, or that would be read as such. */
const OF_EVERY_PERSON = new Set([
  'key',
  'email',
  'name',
  'attributes',
  'previous_key',
  'user_hash',
  'first_seen_utc',
  'last_seen_utc',
]);

interface Wanted {
  applies_to: FieldOwner;
  kind: Field['kind'];
  choices?: readonly string[] | undefined;
  required?: boolean | undefined;
}

/** @throws AppError 400 for settings that this kind of field can't have */
function check({ applies_to, kind, choices, required }: Wanted): void {
  if (hasChoices(kind) && choices?.length === 0)
    throw invalidInput([
      { path: 'choices', message: 'must have at least 1 choice', reason: 'too_few', values: { count: 1 } },
    ]);
  if (!hasChoices(kind) && choices && choices.length > 0)
    throw invalidInput([{ path: 'choices', message: 'are only for the kinds choice and choices' }]);
  if (required && applies_to === 'people')
    throw invalidInput([{ path: 'required', message: 'is only for tickets and chats' }]);
}

const numbered = (key: string, n: number): string => (n === 1 ? key : `${key}_${n}`);

/** A key like the name; one in another script gets `field`. */
function keyLike(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_$/g, '')
    .slice(0, FIELD_KEY_MAX - 4);
  const key = fieldKey.safeParse(plain).success ? plain : 'field';
  let n = 1;
  while (taken.has(numbered(key, n))) n += 1;
  return numbered(key, n);
}

async function keyFor(
  { db, site }: SiteContext,
  { applies_to, key, name }: ParsedInputOf<'fields.create'>,
): Promise<string> {
  if (key !== undefined) {
    if (applies_to === 'people' && OF_EVERY_PERSON.has(key))
      throw invalidInput([{ path: 'key', message: 'is something that every person has', reason: 'taken' }]);
    return key;
  }
  const rows = await db
    .selectFrom('fields')
    .select('key')
    .where('site_id', '=', site.id)
    .where('applies_to', '=', applies_to)
    .execute();
  const reserved = applies_to === 'people' ? OF_EVERY_PERSON : [];
  return keyLike(name, new Set([...rows.map((row) => row.key), ...reserved]));
}

/**
 * @throws AppError 400 for settings that its kind can't have, 409 for a key that is taken, and for one field too many
 */
export function createField(ctx: SiteContext, input: ParsedInputOf<'fields.create'>): Promise<Field> {
  check({ ...input, choices: input.choices ?? [] });
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const { count, last } = await tx.db
      .selectFrom('fields')
      .select([sql<number>`count(*)::int`.as('count'), sql<number | null>`max(position)`.as('last')])
      .where('site_id', '=', tx.site.id)
      .executeTakeFirstOrThrow();
    if (count >= FIELDS_MAX) throw tooMany(FIELDS_MAX, `A site can have at most ${FIELDS_MAX} fields.`);
    const now = tx.now();
    const row = await records.insert(tx, {
      applies_to: input.applies_to,
      key: await keyFor(tx, input),
      name: input.name,
      kind: input.kind,
      choices: input.choices ?? [],
      position: input.position ?? positionBehind(last),
      required: input.required ?? false,
      visible: input.visible ?? false,
      created_at: now,
      updated_at: now,
    });
    return presentField(row);
  });
}

/** @throws AppError 404, also for another site's; 400 for settings that its kind can't have */
export function updateField(
  ctx: SiteContext,
  { id, ...input }: ParsedInputOf<'fields.update'>,
): Promise<Field> {
  return ctx.transaction(async (tx) => {
    const before = await records.lock(tx, id);
    check({
      applies_to: before.applies_to,
      kind: before.kind,
      choices: input.choices,
      required: input.required,
    });
    const { archived, ...change } = input;
    const archived_at =
      archived === undefined ? undefined : archived ? (before.archived_at ?? tx.now()) : null;
    const after = await records.update(tx, id, { ...change, archived_at }, { updated_at: tx.now() });
    if (Boolean(after.archived_at) !== Boolean(before.archived_at))
      await searchAgain(tx, before, await recordsWith(tx, before));
    return presentField(after);
  });
}

/**
 * Deletes a field with its values; a person keeps the attribute.
 * @throws AppError 404, also for another site's.
 */
export const deleteField = (ctx: SiteContext, id: number): Promise<OutputOf<'fields.delete'>> =>
  ctx.transaction(async (tx) => {
    const field = await records.lock(tx, id);
    const ids = await recordsWith(tx, field);
    const answer = await records.delete(tx, id);
    await searchAgain(tx, field, ids);
    return answer;
  });

/** The records that searches find by a field, if it is searchable. */
const recordsWith = async (tx: SiteContext, field: FieldRow): Promise<number[]> =>
  field.applies_to === 'people' || !isSearched(field) ? [] : recordsOf(tx, field.applies_to, field.id);

const searchAgain = async (tx: SiteContext, { applies_to }: FieldRow, ids: number[]): Promise<void> => {
  if (applies_to !== 'people') await indexAgain(tx, applies_to, ids);
};
