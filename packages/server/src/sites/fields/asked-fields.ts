import type { PreChatField } from '@foyer/protocol';
import type { AskedField } from '@foyer/protocol/values/fields/field-question';
import { preChatKey } from '@foyer/protocol/values/wire-names';
import { invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/** A question before a chat that is a custom field. */
export type FieldOfForm = Extract<PreChatField, { kind: 'field' }>;

/** Whether a question is a custom field. */
export const isField = (question: PreChatField): question is FieldOfForm => question.kind === 'field';

/** The fields that a form names and visitors may be asked for now, by the keys of their questions. */
export async function askedFields(
  { db, site }: SiteContext,
  form: readonly PreChatField[],
): Promise<Map<string, AskedField>> {
  const keys = form.filter(isField).map(({ key }) => key);
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('fields')
    .select(['applies_to', 'key', 'name', 'kind', 'choices'])
    .where('site_id', '=', site.id)
    .where('key', 'in', keys)
    .where('visible', '=', true)
    .where('archived_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [preChatKey({ of: row.applies_to, key: row.key }), row]));
}

/**
 * Checks the new questions of a form.
 * @param before the form until now: a field that was archived since doesn't prevent other changes
 * @throws AppError 400 that names every field which visitors can't be asked for
 */
export async function checkAskedFields(
  ctx: SiteContext,
  form: readonly PreChatField[],
  before: readonly PreChatField[],
): Promise<void> {
  const known = new Set(before.map(preChatKey));
  const fields = await askedFields(ctx, form);
  const issues = form.flatMap((question, at) => {
    const key = preChatKey(question);
    if (!isField(question) || fields.has(key) || known.has(key)) return [];
    return [{ path: `pre_chat.${at}.key`, message: 'isn’t a field that visitors may be asked for' }];
  });
  if (issues.length > 0) throw invalidInput(issues);
}
