import { type Issue, type ParsedInputOf, type PreChatField, preChatKey } from '@foyer/protocol';
import type { SiteContext } from '../context.ts';
import { invalidInput } from '../errors.ts';
import { getSite } from '../sites/sites.ts';
import { ownVisitor } from '../visitors/own-visitor.ts';
import { scopeOf, type VisitorRow } from '../visitors/rows.ts';
import { tellVisitor } from '../visitors/upsert.ts';
import { visitorActor } from './chat.ts';

type Asked = Pick<VisitorRow, 'name' | 'email' | 'attributes' | 'introduced_at'>;

const isKnown = (field: PreChatField, { name, email, attributes }: Asked): boolean =>
  'attribute' in field
    ? Object.hasOwn(attributes, field.attribute)
    : (field.kind === 'name' ? name : email) !== null;

/** What a site asks a visitor before their first chat: once, and nothing that is known already. */
export const fieldsToAsk = (fields: readonly PreChatField[], visitor: Asked): PreChatField[] =>
  visitor.introduced_at === null ? fields.filter((field) => !isKnown(field, visitor)) : [];

type Answers = ParsedInputOf<'chat.introduce'>;

const answerTo = (field: PreChatField, { name, email, attributes }: Answers): string | undefined =>
  'attribute' in field ? attributes?.[field.attribute] : field.kind === 'name' ? name : email;

function issueWith(field: PreChatField, answers: Answers): Issue | undefined {
  const path = 'attribute' in field ? `attributes.${field.attribute}` : field.kind;
  const answer = answerTo(field, answers);
  if (answer === undefined) return field.required ? { path, message: 'must not be empty' } : undefined;
  if (field.kind === 'choice' && !field.options.includes(answer))
    return { path, message: 'must be one of the choices' };
  return undefined;
}

/**
 * Keeps what a visitor answers to the site's questions. Answers to what is not asked, because it is known by now or
 * the site has changed its form meanwhile, are left out: the visitor can do nothing about them.
 * @throws AppError 400 with every field that is missing or is no choice.
 */
export async function introduce(ctx: SiteContext, answers: Answers): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { pre_chat } = await getSite(tx.db, tx.site.id);
    const visitor = await ownVisitor(tx, visitorActor(tx));
    const asked = fieldsToAsk(pre_chat, visitor);
    const issues = asked.flatMap((field) => issueWith(field, answers) ?? []);
    if (issues.length > 0) throw invalidInput(issues);
    const told = asked.flatMap((field) => {
      const answer = answerTo(field, answers);
      return answer === undefined ? [] : [{ field, answer }];
    });
    const own = told.filter(({ field }) => !('attribute' in field));
    const others = told.filter(({ field }) => 'attribute' in field);
    const entries = (all: typeof told) =>
      Object.fromEntries(all.map(({ field, answer }) => [preChatKey(field), answer]));
    if (told.length > 0 && visitor.key !== null)
      await tellVisitor(scopeOf(tx), { key: visitor.key, ...entries(own), attributes: entries(others) });
    await tx.db
      .updateTable('visitors')
      .set({ introduced_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', visitor.id)
      .execute();
  });
}
