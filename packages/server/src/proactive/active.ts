import { dateShown, isOpen, type ProactiveRule, pagePrefix, wallClock } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.generated.ts';
import type { KnownSite } from '../sites/directory.ts';

type Scheduled = Pick<
  Selectable<Tables['proactive_messages']>,
  'from_date' | 'until_date' | 'hours' | 'weekly'
>;
type Hours = Pick<KnownSite, 'timeZone' | 'officeHours'>;

/**
 * Whether a message may be shown now. Days and weekly hours are in the site's time zone, whatever its office hours' is. A
 * site without office hours is always open.
 */
export function isScheduled(
  { from_date: from, until_date: until, hours, weekly }: Scheduled,
  site: Hours,
  now: Date,
): boolean {
  const today = dateShown(wallClock(site.timeZone, now.getTime()));
  if ((from !== null && today < from) || (until !== null && today > until)) return false;
  if (weekly && !isOpen({ time_zone: site.timeZone, weekly, holidays: [] }, now)) return false;
  return hours === 'always' || site.officeHours === null || isOpen(site.officeHours, now);
}

/** Addresses have no other characters. */
const asInAddress = (written: string): string =>
  encodeURI(pagePrefix(written)).replaceAll('%25', '%').toLowerCase();

/** What pages must know about the messages that may be shown now, in their order. */
export const activeRules = (site: KnownSite, now: Date): ProactiveRule[] =>
  site.proactive
    .filter((message) => isScheduled(message, site, now))
    .map(({ id, pages, except_pages, after_s, min_visits }) => ({
      id,
      pages: pages.map(asInAddress),
      except_pages: except_pages.map(asInAddress),
      after_s,
      min_visits,
    }));

/**
 * Parts of addresses: a page whose address has none of them needs no message. Visits are counted by the pages
 * themselves, on every page of a site with a message that depends on them.
 */
export const pagesOf = (rules: readonly ProactiveRule[]): string[] => {
  const all = rules.flatMap(({ pages, min_visits }) => (min_visits > 1 || pages.length === 0 ? [''] : pages));
  return all.includes('') ? [''] : [...new Set(all)];
};
