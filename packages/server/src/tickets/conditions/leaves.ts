import type {
  CustomFieldCondition,
  FieldCondition,
  OfficeCondition,
  RecordCondition,
  RuleSubject,
  WordsCondition,
} from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { chatConditions } from '../../conversations/lists/chat-filter.ts';
import type { SiteContext } from '../../core/context.ts';
import { fieldCondition as ofCustomField } from '../../sites/fields/field-filter.ts';
import { officeHoursOf, openTeams } from '../../sites/teams/hours.ts';
import { asTicketStatus, ticketConditions } from '../views/inbox-filter.ts';

/** A condition on a ticket `t` or chat `c`. */
type Sql = RawBuilder<SqlBool>;
type StoredCondition = FieldCondition | WordsCondition | CustomFieldCondition | OfficeCondition;

/** Whether a condition is about the record, not about its visitor. */
export const isStored = (condition: RecordCondition): condition is StoredCondition =>
  !('attribute' in condition || 'event' in condition);

const wordsOfTicket = sql`concat_ws(' ', t.subject, coalesce((
  select r.body from ticket_replies r
  where r.site_id = t.site_id and r.ticket_id = t.id and r.type = 'public' and r.author_type in ('requester', 'participant')
  order by r.id desc limit 1), t.description))`;

const wordsOfChat = sql`coalesce((
  select m.text from messages m
  where m.site_id = c.site_id and m.conversation_id = c.id and m.sender = 'visitor'
  order by m.seq desc limit 1), '')`;

/** By the hours of the record's team, or else of the site. */
async function ofOffice(
  ctx: SiteContext,
  kind: RuleSubject,
  { office_hours: state }: OfficeCondition,
): Promise<Sql> {
  const { withHours, open, isOpen } = openTeams(await officeHoursOf(ctx), ctx.now());
  const team = kind === 'ticket' ? sql`t.team_id` : sql`c.team_id`;
  const isWithin = sql`case when ${team} = any (${withHours}::bigint[]) then ${team} = any (${open}::bigint[])
    else ${isOpen}::boolean end`;
  return state === 'open' ? sql`${isWithin}` : sql`not ${isWithin}`;
}

async function ofTicket(ctx: SiteContext, filter: FieldCondition): Promise<Sql[] | undefined> {
  const others = await ticketConditions(ctx, filter);
  if (!others) return undefined;
  const { status, assignee_id } = filter;
  if (status !== undefined) others.push(sql`t.status = ${asTicketStatus(status)}`);
  if (assignee_id !== undefined)
    others.push(sql`t.assignee_key = ${assignee_id === 'none' ? 0 : assignee_id}`);
  return others;
}

/** A condition on tickets `t` or chats `c`. One that can't match any, because it names what the site doesn't have, is false. */
export async function conditionOf(
  ctx: SiteContext,
  kind: RuleSubject,
  condition: StoredCondition,
): Promise<Sql> {
  if ('contains' in condition) {
    const words = kind === 'ticket' ? wordsOfTicket : wordsOfChat;
    return sql`strpos(lower(${words}), lower(${condition.contains}::text)) > 0`;
  }
  if ('custom_field' in condition)
    return ofCustomField(ctx, kind === 'ticket' ? 'tickets' : 'chats', condition);
  if ('office_hours' in condition) return ofOffice(ctx, kind, condition);
  const found = kind === 'ticket' ? await ofTicket(ctx, condition) : await chatConditions(ctx, condition);
  if (!found) return sql`false`;
  return found.length === 0 ? sql`true` : sql`coalesce(${sql.join(found, sql` and `)}, false)`;
}
