import { sql } from 'kysely';
import type { RecurringJob } from '../jobs/schedule.ts';
import { closeDue } from './closing.ts';
import { chatEmailClock } from './emails/email-clock.ts';
import { releaseChatsOfAbsent } from './routing/release.ts';
import { routeWaiting } from './routing/routing.ts';
import { chatSlaClock } from './sla/clock.ts';
import { snoozeClock } from './snooze/snooze.ts';

/** How soon after an agent becomes available a waiting chat is assigned. */
const ROUTE_EVERY_MS = 1_000;
const RELEASE_EVERY_MS = 15_000;
/** How late a chat may close. */
const CLOSE_EVERY_MS = 1_000;

/** Time-based changes of chats. */
export const conversationClock: RecurringJob[] = [
  {
    // Polled rather than triggered: a handoff, an agent signing in, one with capacity again and a restart are all
    // the same case.
    name: 'chats.route',
    everyMs: ROUTE_EVERY_MS,
    due: ({ limit, afterSite }) => sql`
      select s.id as "siteId", s.id from (
        select distinct site_id from conversations
        where site_id > ${afterSite} and status = 'waiting' and closes_at is null and snoozed_until is null
          and spam_at is null
      ) waiting join sites s on s.id = waiting.site_id
      left join lateral (
        select 1 as one from teams t
        where t.site_id = s.id and t.archived_at is null and t.routing <> 'manual' limit 1
      ) team on s.routing = 'manual'
      where s.routing <> 'manual' or team.one is not null
      order by s.id limit ${limit}`,
    run: routeWaiting,
  },
  {
    name: 'chats.release',
    everyMs: RELEASE_EVERY_MS,
    due: ({ now, limit }) => sql`
      select a.site_id as "siteId", a.id from (
        select distinct site_id, agent_id from conversations
        where status = 'active' and snoozed_until is null and spam_at is null
      ) busy
      join agents a on a.site_id = busy.site_id and a.id = busy.agent_id join sites s on s.id = a.site_id
      where a.at_desk_at < ${now}::timestamptz - make_interval(secs => s.return_chats_after_s)
        and exists (
          select from conversations c
          where c.site_id = a.site_id and c.agent_id = a.id and c.status = 'active' and c.snoozed_until is null
            and c.spam_at is null and c.last_sender is distinct from 'agent')
      order by a.at_desk_at limit ${limit}`,
    run: releaseChatsOfAbsent,
  },
  {
    name: 'chats.close',
    everyMs: CLOSE_EVERY_MS,
    due: ({ now, limit }) => sql`
      select site_id as "siteId", id from conversations
      where closes_at <= ${now} order by closes_at limit ${limit}`,
    run: closeDue,
  },
  chatEmailClock,
  snoozeClock,
  chatSlaClock,
];
