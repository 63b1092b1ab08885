import {
  type FieldValues,
  type Issue,
  type ParsedInputOf,
  type PreChatField,
  preChatKey,
} from '@foyer/protocol';
import { invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { type FieldOfForm, isField } from '../sites/fields/asked-fields.ts';
import { redacted } from '../sites/redaction.ts';
import { getSite } from '../sites/sites.ts';
import { type KnownToVisitor, knownFrom } from '../visitors/identity/greeting.ts';
import { noteOwnWords, ownDevice, ownVisitor, trustInVisitor } from '../visitors/identity/own-visitor.ts';
import { tellVisitor } from '../visitors/identity/upsert.ts';
import { scopeOf, type VisitorRow } from '../visitors/rows.ts';
import { visitorActor } from './chat.ts';
import { keepChatAnswers, readFieldAnswers } from './fields/pre-chat-fields.ts';

const isKnown = (
  field: PreChatField,
  { name, email, attributes }: Omit<KnownToVisitor, 'pre_chat_completed_at'>,
): boolean => {
  if ('attribute' in field) return Object.hasOwn(attributes, field.attribute);
  if (isField(field)) return field.of === 'people' && Object.hasOwn(attributes, field.key);
  return field.kind !== 'consent' && (field.kind === 'name' ? name : email) !== null;
};

/**
 * The fields that a site asks a visitor for before a chat: about the person once, without those they have already
 * answered, and about each chat. Values from others don't count: a stranger could read them off the form.
 * @param hasChatAnswers they have already answered the questions about their next chat
 */
export const fieldsToAsk = (
  fields: readonly PreChatField[],
  visitor: KnownToVisitor,
  hasChatAnswers: boolean,
): PreChatField[] =>
  fields.filter((field) => {
    if (isField(field) && field.of === 'chats') return !hasChatAnswers;
    return visitor.pre_chat_completed_at === null && !isKnown(field, visitor);
  });

type Answers = ParsedInputOf<'chat.introduce'>;

type Plain = Exclude<PreChatField, FieldOfForm>;

const answerTo = (field: Plain, answers: Answers): string | undefined =>
  'attribute' in field ? answers.attributes?.[field.attribute] : answers[field.kind];

function issueWith(field: Plain, answers: Answers): Issue | undefined {
  const path = 'attribute' in field ? `attributes.${field.attribute}` : field.kind;
  const answer = answerTo(field, answers);
  if (answer === undefined) return field.required ? { path, message: 'must not be empty' } : undefined;
  if (field.kind === 'choice' && !field.options.includes(answer))
    return { path, message: 'must be one of the options' };
  // Nobody can put words into the record, and nobody agrees to other words than they were shown.
  if (field.kind === 'consent' && answer !== field.label)
    return { path, message: 'must be the wording that is shown' };
  return undefined;
}

/**
 * Stores a visitor's answers. Answers to questions that aren't asked, because the value is known by now or the site
 * has changed its form, are ignored: the visitor can't do anything about them.
 * @throws AppError 400 with every field that is missing or not among the choices
 */
export async function introduce(ctx: SiteContext, answers: Answers): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { pre_chat } = await getSite(tx.db, tx.site.id);
    const actor = visitorActor(tx);
    const visitor = await ownVisitor(tx, actor);
    const device = await ownDevice(tx, actor);
    const known = actor.verified
      ? visitor
      : knownFrom(device?.reportedAttributes ?? {}, device?.preChatCompletedAt ?? null);
    const asked = fieldsToAsk(pre_chat, known, device?.hasChatAnswers ?? false);
    const plain = asked.filter((field) => !isField(field));
    const { chats, people, ...ofFields } = await readFieldAnswers(tx, asked, answers.fields);
    const issues = [...plain.flatMap((field) => issueWith(field, answers) ?? []), ...ofFields.issues];
    if (issues.length > 0) throw invalidInput(issues);
    const given: Given[] = [];
    for (const field of plain) {
      const answer = answerTo(field, answers);
      if (answer === undefined) continue;
      if (field.kind === 'consent') await noteConsent(tx, actor, visitor.id, answer);
      else given.push({ field, answer: await redacted(tx, answer) });
    }
    await noteOwnWords(tx, actor, { ...bagOf(given), ...people });
    if (device && Object.keys(chats).length > 0) await keepChatAnswers(tx, device.id, chats);
    await noteAnswers(
      tx,
      visitor,
      given.filter(({ field }) => !isKnown(field, visitor)),
      people,
    );
    for (const [table, id] of [
      ['visitors', visitor.id],
      ['visitor_devices', device?.id ?? 0],
    ] as const)
      await tx.db
        .updateTable(table)
        .set({ pre_chat_completed_at: tx.now() })
        .where('site_id', '=', tx.site.id)
        .where('id', '=', id)
        .execute();
  });
}

/** Agreeing again adds a record. */
async function noteConsent(
  tx: SiteContext,
  { verified, language = 'en' }: ReturnType<typeof visitorActor>,
  visitorId: number,
  wording: string,
): Promise<void> {
  await tx.db
    .insertInto('visitor_consents')
    .values({
      site_id: tx.site.id,
      visitor_id: visitorId,
      wording,
      language,
      verified,
      agreed_at: tx.now(),
    })
    .execute();
  await tx.emit({ notices: [{ kind: 'visitor', visitorId }] });
}

interface Given {
  field: Plain;
  answer: string;
}

const bagOf = (given: readonly Given[]): Record<string, string> =>
  Object.fromEntries(given.map(({ field, answer }) => [preChatKey(field), answer]));

/** Fills only missing fields, and none without the proof that the site requires. */
async function noteAnswers(
  tx: SiteContext,
  { key, attributes: known }: VisitorRow,
  given: readonly Given[],
  people: FieldValues,
): Promise<void> {
  const fields = Object.entries(people).filter(([name]) => !Object.hasOwn(known, name));
  if ((given.length === 0 && fields.length === 0) || key === null) return;
  if ((await trustInVisitor(tx, visitorActor(tx), key)) === 'unproven') return;
  const own = given.filter(({ field }) => !('attribute' in field));
  const others = given.filter(({ field }) => 'attribute' in field);
  await tellVisitor(scopeOf(tx), {
    key,
    ...bagOf(own),
    attributes: { ...bagOf(others), ...Object.fromEntries(fields) },
  });
}
