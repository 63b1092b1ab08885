import type {
  DeskIssue,
  FieldValue,
  FieldValues,
  Language,
  ParsedInputOf,
  PreChatField,
  PreChatQuestion,
} from '@foyer/protocol';
import { type AskedField, fieldQuestion } from '@foyer/protocol/values/fields/field-question';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { preChatKey } from '@foyer/protocol/values/wire-names';
import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { speechOf } from '../../i18n/phrases.ts';
import { askedFields, isField } from '../../sites/fields/asked-fields.ts';
import { type ChangedFields, isProblem, readChanges, readValue } from '../../sites/fields/field-values.ts';
import { changedTexts } from '../../sites/fields/field-words.ts';
import { writeFields } from '../../sites/fields/stored-values.ts';
import { redacted } from '../../sites/redaction.ts';
import { renewFieldWords } from '../search/field-words.ts';

/** A form as the widget asks it. Fields that are gone, archived or hidden are left out. */
export async function questionsOf(
  ctx: SiteContext,
  fields: readonly PreChatField[],
  language: Language,
): Promise<PreChatQuestion[]> {
  const definitions = await askedFields(ctx, fields);
  const { say } = speechOf(language);
  return fields.flatMap((field): PreChatQuestion[] => {
    if (!isField(field)) return [field];
    const { of, key, required } = field;
    const definition = definitions.get(preChatKey(field));
    return definition
      ? [fieldQuestion({ of, key, required }, definition, [say('help_yes'), say('help_no')])]
      : [];
  });
}

/** In any language: the visitor’s may have changed since they were asked. */
const isWord = (word: 'help_yes' | 'help_no', text: string): boolean =>
  LANGUAGES.some((language) => speechOf(language).say(word) === text);

type Answer = NonNullable<ParsedInputOf<'chat.introduce'>['fields']>[string];

/** What a visitor typed or chose as what the field’s kind expects; anything else stays for it to refuse. */
function valueIn({ kind }: AskedField, answer: Answer): FieldValue {
  if (typeof answer !== 'string') return answer;
  if (kind === 'choices') return [answer];
  if (kind === 'number') return Number.isFinite(Number(answer)) ? Number(answer) : answer;
  if (kind !== 'yes_no') return answer;
  return isWord('help_yes', answer) ? true : isWord('help_no', answer) ? false : answer;
}

/** Answers about the next chat and about the person, by key, and their problems. */
export interface FieldAnswers {
  chats: FieldValues;
  people: FieldValues;
  issues: DeskIssue[];
}

/** Reads the answers to those of the questions that are fields. */
export async function readFieldAnswers(
  ctx: SiteContext,
  asked: readonly PreChatField[],
  answers: ParsedInputOf<'chat.introduce'>['fields'] = {},
): Promise<FieldAnswers> {
  const definitions = await askedFields(ctx, asked);
  const found: FieldAnswers = { chats: {}, people: {}, issues: [] };
  for (const field of asked.filter(isField)) {
    const key = preChatKey(field);
    const definition = definitions.get(key);
    if (!definition) continue;
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
    const value = answer === undefined ? null : readValue(definition, valueIn(definition, answer));
    const path = `fields.${key}`;
    if (isProblem(value)) found.issues.push({ path, ...value });
    else if (value !== null)
      found[field.of][field.key] = typeof value === 'string' ? await redacted(ctx, value) : value;
    else if (field.required) found.issues.push({ path, message: 'must not be empty' });
  }
  return found;
}

/** Keeps a visitor's answers about their next chat, until they begin it. */
export async function keepChatAnswers(
  tx: SiteContext,
  deviceId: number,
  answers: FieldValues,
): Promise<void> {
  await tx.db
    .updateTable('visitor_devices')
    .set({ pre_chat_fields: JSON.stringify(answers) })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', deviceId)
    .execute();
}

/** The answers that a new chat's visitor has given; a scalar query on the chat's row. */
export const chatAnswers = sql<FieldValues | null>`(
  select d.pre_chat_fields from visitor_devices d
  where d.site_id = conversations.site_id and d.id = conversations.device_id)`;

/**
 * The answers as changes, without those that their field no longer allows: a choice may be gone since the visitor was
 * asked.
 */
async function changesBy(tx: SiteContext, answers: FieldValues): Promise<ChangedFields> {
  try {
    return await readChanges(tx, 'chats', {}, answers);
  } catch (error) {
    if (!(error instanceof AppError) || !error.issues) throw error;
    const refused = new Set(error.issues.map(({ path }) => path));
    const taken = Object.entries(answers).filter(([key]) => !refused.has(`fields.${key}`));
    return readChanges(tx, 'chats', {}, Object.fromEntries(taken));
  }
}

/** Moves a visitor's answers from their browser's record into the chat that they have just begun. */
export async function takeChatAnswers(
  tx: SiteContext,
  chat: { id: number; device_id: number | null },
  answers: FieldValues,
): Promise<void> {
  const changes = await changesBy(tx, answers);
  await writeFields(tx, 'chats', chat.id, changes);
  if (changedTexts(changes)) await renewFieldWords(tx, [chat.id]);
  await sql`
    update visitor_devices set pre_chat_fields = null
    where site_id = ${tx.site.id} and id = ${chat.device_id}`.execute(tx.db);
}
