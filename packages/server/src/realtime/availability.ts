import {
  type Availability,
  HOLIDAYS_TOLD_DAYS,
  isOpen,
  nextOpening,
  type OfficeHours,
  type TeamFace,
} from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import type { Logger } from 'pino';
import type { Presence } from '../core/context.ts';
import type { Hub } from './hub.ts';
import { lastAsked } from './last-asked.ts';

/** How late visitors may see that the office has opened or closed. */
export const OFFICE_CLOCK_MS = 5_000;

/** What visitors see about the team: who is online, when the office is open, and whether it can send email. */
export interface AvailabilityBoard {
  of(siteId: number): Promise<Availability>;
  /** Sends a site's availability to its visitors if it differs from the last one sent. */
  tell(siteId: number): void;
  /** Call it every OFFICE_CLOCK_MS, because offices open and close at set times. */
  check(): void;
}

interface Options {
  hub: Hub;
  presence: Presence;
  log: Logger;
  now(): number;
  officeHoursOf(siteId: number): Promise<OfficeHours | null>;
  facesOf(siteId: number, agentIds: readonly number[]): Promise<TeamFace[]>;
  sendsMail(siteId: number): Promise<boolean>;
}

/** Only the coming holidays, which are all a visitor needs, with a day's margin for time zones. */
function withNearHolidays(hours: OfficeHours, now: number): OfficeHours {
  const isNear = ({ date }: { date: string }): boolean => {
    const away = Date.parse(date) - now;
    return away > -2 * DAY_MS && away < HOLIDAYS_TOLD_DAYS * DAY_MS;
  };
  return { ...hours, holidays: hours.holidays.filter(isNear) };
}

/** Sends only changes. A failure is logged, and the next `check` tries again. */
export function createAvailability(options: Options): AvailabilityBoard {
  const { hub, presence, log, now, officeHoursOf, facesOf, sendsMail } = options;
  /** The last state sent to a site's visitors. */
  const told = new Map<number, string>();

  const of = async (siteId: number): Promise<Availability> => {
    const hours = await officeHoursOf(siteId);
    const at = new Date(now());
    const online = await presence.onlineAgents(siteId);
    return {
      agents_online: online.length > 0,
      team: await facesOf(siteId, online),
      open: hours === null || isOpen(hours, at),
      next_opening_utc: (hours && nextOpening(hours, at))?.toISOString() ?? null,
      hours: hours && withNearHolidays(hours, now()),
      mails: await sendsMail(siteId),
    };
  };

  const tell = lastAsked(async (siteId: number) => {
    try {
      const availability = await of(siteId);
      const said = JSON.stringify(availability);
      if (told.get(siteId) === said) return;
      told.set(siteId, said);
      hub.toVisitors(siteId, { type: 'availability', ...availability });
    } catch (error) {
      log.warn({ err: error, site_id: siteId }, 'sending availability to visitors failed');
    }
  });

  return {
    of,
    tell,
    check() {
      const sites = new Set(
        [...hub.peers].filter(({ actor }) => actor.kind === 'visitor').map(({ site }) => site.id),
      );
      // The site no longer has connected visitors.
      for (const siteId of told.keys()) if (!sites.has(siteId)) told.delete(siteId);
      for (const siteId of sites) tell(siteId);
    },
  };
}
