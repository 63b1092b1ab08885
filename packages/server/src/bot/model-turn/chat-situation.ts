import { isOpen, type Language, type OfficeHours } from '@foyer/protocol';
import { nextOpening, WEEKDAYS } from '@foyer/protocol/values/office-clock';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite } from '../../sites/sites.ts';

const PAGE_MAX_CHARS = 200;
const NAME_MAX_CHARS = 60;
const HOLIDAYS_MAX = 10;

/**
 * A number of the office hours may be quoted alone, as in "from 9 to 17"; one of a moment only as part of its date or
 * time.
 */
export interface KnownSituation {
  readonly moments: string;
  readonly hours: string;
}

/** What a language model gets about a chat beside its messages. */
export interface ChatSituation {
  readonly text: string;
  /** What comes from Foyer and the site: an answer may rest on it. Page and name are claims of the visitor. */
  readonly known: KnownSituation;
}

const nameOf = (language: Language): string =>
  new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;

const timeOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(at);

/**
 * Date and office hours in the site’s time zone, the visitor’s language, and in a chat its page and the visitor’s name.
 */
export async function chatSituation(
  ctx: SiteContext,
  session: SessionRow | undefined,
  language: Language,
): Promise<ChatSituation> {
  const { office_hours: hours, time_zone } = await getSite(ctx.db, ctx.site.id);
  const now = ctx.now();
  const zone = hours?.time_zone ?? time_zone;
  const moments = [
    `Now: ${timeOf(now, zone)} (${zone})`,
    ...(hours === null ? ['The team has no office hours.'] : momentLines(hours, now)),
  ].join('\n');
  const known = { moments, hours: hours === null ? '' : hourLine(hours) };
  const page = pageOf(session?.page_url ?? null);
  const name = session?.visitor_name?.replace(/\s+/g, ' ').trim().slice(0, NAME_MAX_CHARS).toWellFormed();
  const lines = [
    moments,
    ...(known.hours === '' ? [] : [known.hours]),
    `Visitor’s language: ${nameOf(language)}`,
    ...(page === null ? [] : [`Visitor’s page: ${page}`]),
    ...(name ? [`Visitor’s name: ${JSON.stringify(name)}`] : []),
  ];
  return { text: lines.join('\n'), known };
}

function hourLine(hours: OfficeHours): string {
  const days = WEEKDAYS.map((day) => {
    const intervals = hours.weekly[day].map(({ from, to }) => `${from}–${to}`);
    return `${day} ${intervals.length === 0 ? 'closed' : intervals.join(' and ')}`;
  });
  return `Office hours of the team (${hours.time_zone}): ${days.join(', ')}`;
}

function momentLines(hours: OfficeHours, now: Date): string[] {
  const today = now.toISOString().slice(0, 10);
  const holidays = hours.holidays.filter(({ date }) => date >= today).slice(0, HOLIDAYS_MAX);
  const next = nextOpening(hours, now);
  return [
    isOpen(hours, now)
      ? 'The team is open now.'
      : `The team is closed now${next === null ? '' : `; it opens ${timeOf(next, hours.time_zone)}`}.`,
    ...holidays.map(({ date, name }) => `Closed on ${date}: ${name}`),
  ];
}

/** Without query and fragment, which may contain private data. */
function pageOf(pageUrl: string | null): string | null {
  if (pageUrl === null || !URL.canParse(pageUrl)) return null;
  const { host, pathname } = new URL(pageUrl);
  return `${host}${pathname}`.slice(0, PAGE_MAX_CHARS).toWellFormed();
}
