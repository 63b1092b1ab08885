import {
  CLOSE_AFTER_DAYS,
  email,
  externalId,
  SUBJECT_MAX,
  type TicketPriority,
  type TicketStatus,
  tagNames,
  ticketSubject,
  ticketText,
  visitorKey,
  visitorName,
} from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { z } from 'zod';
import type { SiteContext } from '../core/context.ts';
import { checkChanges, type Definition } from '../sites/fields/field-values.ts';
import { insertTicket } from '../tickets/create.ts';
import type { Told } from './cells.ts';
import type { ReadRow, RowOutcome } from './csv-work.ts';
import { ticketFieldsIn } from './custom-cells.ts';
import { parseRow } from './parse-row.ts';
import { bringPerson } from './person.ts';

/** Names of statuses and priorities in other products. */
const STATUSES: Readonly<Record<string, TicketStatus>> = {
  new: 'new',
  unassigned: 'new',
  open: 'open',
  active: 'open',
  reopened: 'open',
  unresolved: 'open',
  pending: 'pending',
  snoozed: 'pending',
  waiting: 'pending',
  hold: 'hold',
  onhold: 'hold',
  solved: 'solved',
  resolved: 'solved',
  done: 'solved',
  closed: 'closed',
};
const PRIORITIES: Readonly<Record<string, TicketPriority>> = {
  low: 'low',
  normal: 'normal',
  medium: 'normal',
  none: 'normal',
  high: 'high',
  urgent: 'urgent',
  critical: 'urgent',
};

const word = (value: string): string => value.toLowerCase().replace(/[^a-z]/g, '');

/** Looks a word up in a table; anything else is an issue. */
const wordOf = <T extends string>(table: Readonly<Record<string, T>>) =>
  z
    .string()
    .transform((value) => (Object.hasOwn(table, word(value)) ? table[word(value)] : undefined))
    .refine((value) => value !== undefined, {
      error: 'isn’t a known value',
      params: { reason: 'choice' },
    });

const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const EPOCH = /^\d{10}(\d{3})?$/;

/** Times as exports write them: ISO 8601 with or without `T`, in UTC without an offset, or seconds since 1970. */
function timeOf(value: string): Date | undefined {
  if (EPOCH.test(value)) return new Date(Number(value) * (value.length === 10 ? 1000 : 1));
  const [, day, clock = '00:00', offset = 'Z'] = TIME.exec(value) ?? [];
  if (!day) return undefined;
  const time = new Date(`${day}T${clock}${offset === 'UTC' ? 'Z' : offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const created = z
  .string()
  .transform(timeOf)
  .refine((value) => value !== undefined && value.getTime() > 0, {
    error: 'must be a time such as 2024-03-31 or 2024-03-31 17:05',
    params: { reason: 'form' },
  });

const tags = z
  .string()
  .transform((value) => [
    ...new Set(
      value
        .split(/[,;|]/)
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ])
  .pipe(tagNames);

const row = z
  .strictObject({
    subject: ticketSubject.optional(),
    body: ticketText.optional(),
    requester_key: visitorKey.optional(),
    requester_email: email.optional(),
    requester_name: visitorName.optional(),
    status: wordOf(STATUSES).optional(),
    priority: wordOf(PRIORITIES).optional(),
    tags: tags.optional(),
    created: created.optional(),
    external_id: externalId.optional(),
  })
  .refine(({ subject, body }) => (subject ?? body) !== undefined, {
    error: 'needs a subject or a message',
    params: { reason: 'no_text' },
  })
  .refine((one) => (one.requester_key ?? one.requester_email ?? one.requester_name) !== undefined, {
    error: 'needs a customer: a name, an email or a user ID',
    params: { reason: 'no_customer' },
  });

async function isThere({ db, site }: SiteContext, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from tickets where site_id = ${site.id} and external_id = ${id} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * A ticket solved longer ago than solved tickets stay open is imported as closed, so that the clock has nothing to
 * report.
 */
const statusOf = (status: TicketStatus | undefined, at: Date, now: Date): TicketStatus | undefined =>
  status === 'solved' && now.getTime() - at.getTime() > (CLOSE_AFTER_DAYS - 1) * DAY_MS ? 'closed' : status;

async function bringTicket(
  tx: SiteContext,
  told: z.output<typeof row>,
  { fields: held, custom }: { fields: readonly Definition[]; custom: Told['custom'] },
): Promise<RowOutcome> {
  if (told.external_id !== undefined && (await isThere(tx, told.external_id))) return 'unchanged';
  const fields = checkChanges(held, 'tickets', {}, ticketFieldsIn(held, custom));
  const { visitor } = await bringPerson(tx, {
    key: told.requester_key,
    ...(told.requester_email ? { email: told.requester_email } : {}),
    ...(told.requester_name ? { name: told.requester_name } : {}),
  });
  const { body = told.subject ?? '', subject = body.slice(0, SUBJECT_MAX).split('\n')[0] ?? body } = told;
  const createdAt = told.created ?? tx.now();
  await insertTicket(tx, {
    subject,
    description: body,
    requesterId: visitor.id,
    requesterEmail:
      told.requester_email && visitor.email !== told.requester_email ? told.requester_email : null,
    priority: told.priority ?? 'normal',
    externalId: told.external_id ?? null,
    tags: told.tags ?? [],
    fields,
    imported: { status: statusOf(told.status, createdAt, tx.now()) ?? 'open', createdAt },
  });
  return 'created';
}

/** Turns a record into a ticket, unless one with its id exists. */
export const readTicket: ReadRow = ({ fields, custom }) => {
  const told = parseRow(row, fields);
  return (tx, held) => bringTicket(tx, told, { fields: held, custom });
};
