import { z } from 'zod';
import { EMAIL_MAX, PAGE_LIMIT_MAX, VISITOR_KEY_MAX, VISITOR_NAME_MAX } from './values/bounds.ts';
import { unknownPlaceholders } from './values/macro-text.ts';
import { DUE_STATES } from './values/tickets/sla-names.ts';

/** PostgreSQL can't store NUL, and UTF-8 has no unpaired surrogates. */
const isWellFormed = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Any string that can be stored. */
export const storable = z.string().refine(isWellFormed, 'must not contain NUL or unpaired surrogates');

/** Trimmed text of `min` to `max` characters. */
export const text = (min: number, max: number) =>
  storable
    .trim()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`);

/** A name of only zero-width characters would leave a blank row, which looks like an error. */
const isBlank = (name: string): boolean => name !== '' && !/[^\s\p{Cc}\p{Cf}]/u.test(name);

/** The name of a visitor: as `text`, with a character that can be seen. */
export const visitorName = text(1, VISITOR_NAME_MAX).refine((name) => !isBlank(name), 'must not be empty');

const PLACEHOLDER_SHOWN_MAX = 60;

/** For `superRefine`: adds an issue for each unknown placeholder; by default those of macros are known. */
export const knowsPlaceholders =
  (known?: readonly string[]) =>
  (value: string, ctx: z.RefinementCtx): void => {
    for (const name of unknownPlaceholders(value, known)) {
      const shown = JSON.stringify(name.slice(0, PLACEHOLDER_SHOWN_MAX).toWellFormed());
      ctx.addIssue({
        code: 'custom',
        message: `${shown} isn’t a known variable`,
        params: { reason: 'placeholder', name: shown },
      });
    }
  };

/** 1 to 2^53 − 1, which JavaScript represents exactly. */
export const id = z.int('must be an integer').min(1, 'must be at least 1');

/** The place in a list that the team orders. */
export const listPosition = z
  .int('must be an integer')
  .min(0, 'must be at least 0')
  .max(10_000, 'must be at most 10000');

/**
 * For a reply from the desk: the last message (`seq`) or reply (`id`) that its author had seen, 0 for none. If a
 * colleague has replied after it, 409 `answered_meanwhile`. Absent: the reply is sent regardless.
 */
export const seenUpTo = z.int('must be an integer').min(0, 'must be at least 0').optional();

export const email = z
  .string()
  .trim()
  .max(EMAIL_MAX, `must have at most ${EMAIL_MAX} characters`)
  .refine((value) => /^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+\.[^\s@<>"(),;:\\[\].]+$/u.test(value), {
    error: 'must be an email address',
    params: { reason: 'email' },
  })
  .refine(isWellFormed, 'must not contain NUL or unpaired surrogates');

/** `#rrggbb`, stored lower-case. */
export const color = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1d4ed8')
  .toLowerCase();

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const isRealDate = (value: string): boolean => {
  const day = value.slice(0, 10);
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
};

export const TIME_FORM = 'ISO 8601: a date (midnight UTC), or a date-time with an offset';

/** ISO 8601 date, meaning midnight UTC, or date-time with an offset. */
export const time = z
  .string()
  .trim()
  .refine(
    (value) =>
      (DATE.test(value) || DATE_TIME.test(value)) && isRealDate(value) && !Number.isNaN(Date.parse(value)),
    'must be an ISO 8601 date, or a date-time with an offset',
  )
  .describe(TIME_FORM);

const ranges = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

/** An address or a range of them, of IPv4 or IPv6. */
export const addressRange = z
  .string()
  .trim()
  .max(50)
  .refine((value) => ranges.some((range) => range.safeParse(value).success), {
    error: 'must be an address or a range such as 203.0.113.0/24',
    params: { reason: 'address_range' },
  });

/** An output time: ISO 8601 with `Z` and milliseconds. */
export const utc = z.iso.datetime({ precision: 3 });

const NO_SESSION_ID = 'must be a session id (ses_…)';
/** `ses_` and 22 characters of base64url: 128 random bits. */
export const sessionId = z.string(NO_SESSION_ID).regex(/^ses_[A-Za-z0-9_-]{22}$/, NO_SESSION_ID);

/** Created by the sender of a message, so that sending it twice stores it once. */
export const clientId = z.uuid('must be a UUID').toLowerCase();

export const visitorKey = text(1, VISITOR_KEY_MAX);

/** The paging parameters of every list. */
export const paging = {
  limit: z
    .int('must be an integer')
    .min(1, 'must be at least 1')
    .max(PAGE_LIMIT_MAX, `must be at most ${PAGE_LIMIT_MAX}`)
    .default(50),
  cursor: z.string().max(200).optional().describe('`next_cursor` of the previous page'),
  order: z.enum(['asc', 'desc']).default('desc'),
};

export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), limit: z.int(), next_cursor: z.string().nullable() });

/** The answer to a DELETE. */
export const deleted = z.object({ id, deleted: z.literal(true) });

export const done = z.object({ done: z.literal(true) });

/** A path on this service, valid as long as the picture is in use; null for none. */
export const pictureUrl = z.string().nullable();

/** An agent, as everyone may see them. */
export const agentRef = z.object({ id, name: z.string() });
export type AgentRef = z.infer<typeof agentRef>;

/** The same with a picture. */
export const agentFace = agentRef.extend({ picture_url: pictureUrl });

/** A team, as work refers to it. */
export const teamRef = z.object({ id, name: z.string(), emoji: z.string().nullable() });
export type TeamRef = z.infer<typeof teamRef>;

/** Filters chats and tickets by team; `none`: of no team. */
export const dueState = z.enum(DUE_STATES);
export const teamFilter = z.union([id, z.literal('none')], 'must be a team’s id, or none');

/** Filters chats and tickets by assignee; `none`: unassigned. */
export const assigneeFilter = z.union([id, z.literal('none')], 'must be an agent’s id, or none');
