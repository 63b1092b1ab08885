import { z } from 'zod';
import { weeklyHours } from '../sites/office-hours.ts';
import {
  NAME_MAX,
  PROACTIVE_AFTER_MAX_S,
  PROACTIVE_PAGES_MAX,
  PROACTIVE_QUIET_MAX_H,
  PROACTIVE_TEXT_MAX,
  PROACTIVE_VISITS_MAX,
} from '../values/bounds.ts';
import { LANGUAGES, type Language } from '../values/languages.ts';
import { PROACTIVE_HOURS } from '../values/proactive/proactive-names.ts';
import { deleted, id, listPosition, page, paging, text, utc, visitorKey } from '../values.ts';

const language = z.enum(LANGUAGES);
const texts = z.partialRecord(language, z.string());

export const proactiveMessage = z.object({
  id,
  name: z.string().describe('For the team'),
  position: z.int().describe('If several are due at once, the first is shown'),
  enabled: z.boolean(),
  texts: texts.describe('Markdown by language'),
  sender_id: id.nullable().describe('The agent in whose name it is shown; null: the bot'),
  pages: z.array(z.string()).describe('Where it is shown; none: on every page'),
  except_pages: z.array(z.string()).describe('Where it isn’t shown'),
  after_s: z.int().describe('Seconds on the page before it is shown'),
  min_visits: z.int().describe('From which visit on; 1: from the first'),
  segment_ids: z.array(id).describe('Only for visitors in one of these segments; none: for everybody'),
  languages: z.array(language).describe('Only for visitors with one of these languages; none: all'),
  from_date: z.string().nullable().describe('First day, in the site’s time zone'),
  until_date: z.string().nullable().describe('Last day, in the site’s time zone'),
  hours: z.enum(PROACTIVE_HOURS).describe('`office`: only within the site’s office hours'),
  weekly: weeklyHours
    .nullable()
    .describe('Only at these hours of the week, in the site’s time zone; null: at any'),
  quiet_hours: z.int().describe('Not if the visitor was shown another message within so many hours'),
  seen: z.int().describe('Visitors who were shown it'),
  opened: z.int().describe('Visitors who opened it'),
  answered: z.int().describe('Visitors who answered it'),
  created_utc: utc,
  updated_utc: utc,
});
export type ProactiveMessage = z.infer<typeof proactiveMessage>;

const whole = (min: number, max: number) =>
  z.int('must be an integer').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const TWICE = { error: 'must not repeat a value', params: { reason: 'twice' } };

const pages = z.array(text(1, 200)).max(PROACTIVE_PAGES_MAX, `must be at most ${PROACTIVE_PAGES_MAX}`);
const date = z.iso
  .date('must be a date such as 2026-12-25')
  .refine((day) => day >= '2000-01-01', 'must not be before 2000');
const textsGiven = z
  .partialRecord(language, text(1, PROACTIVE_TEXT_MAX))
  .refine((given) => Object.keys(given).length > 0, 'must have a text');

const weekly = weeklyHours.refine((days) => Object.values(days).some((hours) => hours.length > 0), {
  error: 'must have hours on a day',
  params: { reason: 'empty' },
});

const fields = {
  enabled: z.boolean().describe('False by default').optional(),
  sender_id: id.nullable().describe('An agent; null: the bot').optional(),
  pages: pages
    .describe(
      '`/pricing` is met by that path and those below it, `/` by the home page; with a host only there',
    )
    .optional(),
  except_pages: pages.optional(),
  after_s: whole(0, PROACTIVE_AFTER_MAX_S).describe('10 by default').optional(),
  min_visits: whole(1, PROACTIVE_VISITS_MAX)
    .describe('A visit ends after 30 minutes without a page')
    .optional(),
  segment_ids: z.array(id).max(20, 'must be at most 20').refine(unique, TWICE).optional(),
  languages: z.array(language).refine(unique, TWICE).optional(),
  from_date: date.nullable().optional(),
  until_date: date.nullable().optional(),
  hours: z.enum(PROACTIVE_HOURS).describe('`always` by default').optional(),
  weekly: weekly.nullable().describe('As in a site’s office hours; null by default').optional(),
  quiet_hours: whole(0, PROACTIVE_QUIET_MAX_H).describe('24 by default').optional(),
  position: listPosition.optional(),
};

const name = text(1, NAME_MAX);

export const proactiveContract = {
  /** By `position`, then `id`; `order=desc` reverses it. */
  'proactive_messages.list': {
    input: z.strictObject({
      ...paging,
      order: z.enum(['asc', 'desc']).default('asc'),
      id: id.optional().describe('Read one message instead of a list'),
    }),
    output: z.union([page(proactiveMessage), proactiveMessage]),
  },
  'proactive_messages.create': {
    input: z.strictObject({ name, texts: textsGiven, ...fields }).meta({
      examples: [{ name: 'Pricing', texts: { en: 'Any questions about our prices?' }, pages: ['/pricing'] }],
    }),
    output: proactiveMessage,
  },
  'proactive_messages.update': {
    input: z.strictObject({
      id,
      name: name.optional(),
      texts: textsGiven.optional().describe('Replaces all texts'),
      ...fields,
    }),
    output: proactiveMessage,
  },
  'proactive_messages.delete': { input: z.strictObject({ id }), output: deleted },
} as const;

/** Of `GET /widget/config`: when a page asks to show a message. Everything else is decided by the server then. */
export interface ProactiveRule {
  id: number;
  pages: string[];
  except_pages: string[];
  after_s: number;
  min_visits: number;
}

const LOCALE_MAX = 35;

/**
 * Body of `POST /widget/proactive?site=PUBLIC_KEY`, sent as `text/plain` like `collectBody`. `show` asks for a message
 * whose time has come, `open` reports that the visitor opened it.
 */
export const proactiveCall = z.strictObject({
  do: z.enum(['show', 'open']),
  id,
  key: visitorKey,
  user_hash: z.string().max(200).optional(),
  /** The language that the page passed to the SDK. */
  locale: z.string().max(LOCALE_MAX).optional(),
});

/** Words of the bubble, in the visitor's language. */
export interface BubbleWords {
  bot: string;
  not_now: string;
  placeholder: string;
  send: string;
}

/** A message as a page shows it. */
export interface Bubble {
  /** Markdown. */
  text: string;
  language: Language;
  sender: { name: string; picture_url: string | null; is_bot: boolean };
  /** Missing if the widget wasn't built. */
  words?: BubbleWords;
}

/** The response to `show`; null: it must not be shown to this visitor now. */
export interface BubbleAnswer {
  bubble: Bubble | null;
}
