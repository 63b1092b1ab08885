import {
  NOTIFICATIONS_MAX,
  type Notification,
  type NotificationChoices,
  type NotificationKind,
  type NotificationTelling,
  type OfficeHours,
  type ParsedInputOf,
} from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { isQuiet, withDefaults } from './choices.ts';
import { settle } from './notify.ts';

/** A notification with the text it shows and its agent's choices. */
export interface NotificationRow {
  id: number;
  agent_id: number;
  kind: NotificationKind;
  session_id: string | null;
  ticket_id: number | null;
  visitor_key: string | null;
  visitor_name: string | null;
  visitor_email: string | null;
  by_agent_id: number | null;
  by_name: string | null;
  text: string;
  count: number;
  happened_at: Date;
  seen_at: Date | null;
  told_at: Date | null;
  choices: Partial<NotificationChoices> | null;
  presence: string;
  office_hours: OfficeHours | null;
  can_push: boolean;
  at_desk_at: Date;
}

/** A device gets pushes as long as its session is alive. */
const LIVE_DEVICE = sql`exists (select from auth_sessions s where s.id = d.sign_in_id and s.expires_at > now())`;

/** How much of a note a notification shows. */
const NOTE_CHARS = 140;
/**
 * A failing mailbox shows its address, a mention shows the latest note that names the agent; a chat shows its visitor's last message, or else its topic.
 */
const TEXT = sql`coalesce(left(coalesce(mn.text, mr.body), ${sql.lit(NOTE_CHARS)}), t.subject,
      case when c.said_sender = 'visitor' then c.said_text end, c.about, c.said_text,
      case when n.kind = 'mailbox_failing' then (
        select string_agg(b.address, ', ' order by b.failing_since, b.id) from mailboxes b
        where b.site_id = n.site_id and b.failing_noticed_at is not null) end, '')`;

/** The only loader of notifications. `tail` is everything after `where n.site_id = … and`. */
export async function loadNotifications(
  db: Db,
  siteId: number,
  tail: RawBuilder<unknown>,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`${prepared}
    select n.id, n.agent_id, n.kind, c.session_id, n.ticket_id, case when v.erased_at is null then v.key end as visitor_key,
      v.name as visitor_name, v.email as visitor_email,
      n.by_agent_id, b.name as by_name, ${TEXT} as text, n.count, n.happened_at, n.seen_at,
      n.told_at, ch.choices, a.presence, a.at_desk_at, s.office_hours,
      exists (
        select from push_devices d where d.site_id = n.site_id and d.agent_id = n.agent_id and ${LIVE_DEVICE}
      ) as can_push
    from notifications n
    join sites s on s.id = n.site_id
    join agents a on a.site_id = n.site_id and a.id = n.agent_id and a.removed_at is null
    left join notification_choices ch on ch.site_id = n.site_id and ch.agent_id = n.agent_id
    left join conversations c on c.site_id = n.site_id and c.id = n.conversation_id
    left join tickets t on t.site_id = n.site_id and t.id = n.ticket_id
    left join mention_queue q on n.kind = 'mention' and q.site_id = n.site_id and q.agent_id = n.agent_id
      and (q.conversation_id = n.conversation_id or q.ticket_id = n.ticket_id)
    left join mentions m on m.site_id = q.site_id and m.id = q.mention_id
    left join notes mn on mn.site_id = m.site_id and mn.id = m.note_id
    left join ticket_replies mr on mr.site_id = m.site_id and mr.id = m.reply_id
    left join visitors v on v.site_id = n.site_id and v.id = coalesce(c.visitor_id, t.requester_id)
    left join agents b on b.site_id = n.site_id and b.id = n.by_agent_id
    where n.site_id = ${siteId} and ${tail}`.execute(db);
  return rows;
}

const presentNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  kind: row.kind,
  session_id: row.session_id,
  ticket_id: row.ticket_id,
  visitor: { key: row.visitor_key, name: row.visitor_name, email: row.visitor_email },
  by: row.by_agent_id === null ? null : { id: row.by_agent_id, name: row.by_name ?? '' },
  text: row.text,
  count: row.count,
  happened_utc: row.happened_at.toISOString(),
  seen_utc: row.seen_at?.toISOString() ?? null,
});

/** How the agent may be notified at `now`: by their choices for this kind, their quiet times and their devices. */
export function tellingOf(row: NotificationRow, now: Date): NotificationTelling {
  const choices = withDefaults(row.choices);
  const quiet = isQuiet(choices, { presence: row.presence, officeHours: row.office_hours }, now);
  return { ways: choices.ways[row.kind], quiet, can_push: row.can_push };
}

async function countUnseen(
  db: Db,
  siteId: number,
  agentIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ agent_id: number; unseen: number }>`
    select w.agent_id, (
      select count(*) from (
        select from notifications n
        where n.site_id = ${siteId} and n.agent_id = w.agent_id and n.seen_at is null limit ${sql.lit(NOTIFICATIONS_MAX)}
      ) few
    ) as unseen
    from unnest(${agentIds}::bigint[]) as w (agent_id)`.execute(db);
  return new Map(rows.map(({ agent_id, unseen }) => [agent_id, unseen]));
}

/** What the hub sends to an agent's desks. */
interface NotificationNews {
  agentId: number;
  notification: Notification;
  telling: NotificationTelling;
  unseen: number;
}

/** Skips ids that no longer exist. `unseen` is the agent's count now, the same for all of an agent's entries. */
export async function notificationNews(
  db: Db,
  siteId: number,
  ids: readonly number[],
  now: Date,
): Promise<NotificationNews[]> {
  const rows = await loadNotifications(db, siteId, sql`n.id = any (${ids}::bigint[])`);
  const unseen = await countUnseen(db, siteId, [...new Set(rows.map(({ agent_id }) => agent_id))]);
  return rows.map((row) => ({
    agentId: row.agent_id,
    notification: presentNotification(row),
    telling: tellingOf(row, now),
    unseen: unseen.get(row.agent_id) ?? 0,
  }));
}

/**
 * The agent's newest notifications, without those of chats that no longer wait. Chosen by the index
 * `notifications_newest` before their texts are joined: an agent may have as many as waiting chats.
 */
export async function listNotifications(ctx: SiteContext) {
  const { agentId } = agentActor(ctx);
  const newest = sql`
    select id from notifications
    where site_id = ${ctx.site.id} and agent_id = ${agentId} and (kind <> 'chat_waiting' or seen_at is null)
    order by happened_at desc, id desc limit ${sql.lit(NOTIFICATIONS_MAX)}`;
  const [rows, unseen] = await Promise.all([
    loadNotifications(
      ctx.db,
      ctx.site.id,
      sql`n.id = any (array(${newest})) order by n.happened_at desc, n.id desc`,
    ),
    countUnseen(ctx.db, ctx.site.id, [agentId]),
  ]);
  return { unseen: unseen.get(agentId) ?? 0, notifications: rows.map(presentNotification) };
}

/**
 * Marks the notifications of a conversation, the given ones, or all as seen: nothing more is sent about them, and
 * the agent's desks remove them.
 */
export async function seeNotifications(
  ctx: SiteContext,
  { session_id, ticket_id, ids }: ParsedInputOf<'notifications.see'>,
): Promise<void> {
  const mine = sql`n.agent_id = ${agentActor(ctx).agentId}`;
  const chat = sql`n.conversation_id = (
    select c.id from conversations c where c.site_id = n.site_id and c.session_id = ${session_id ?? ''})`;
  await settle(
    ctx,
    sql.join(
      [
        mine,
        ...(session_id === undefined ? [] : [chat]),
        ...(ticket_id === undefined ? [] : [sql`n.ticket_id = ${ticket_id}`]),
        ...(ids === undefined ? [] : [sql`n.id = any (${ids}::bigint[])`]),
      ],
      sql` and `,
    ),
  );
}

/**
 * Claims a notification for one desk: only one of an agent's desks and tabs shows it, and it isn't pushed.
 * @throws AppError 404
 */
export async function tellNotification(ctx: SiteContext, id: number, happenedAt: Date): Promise<boolean> {
  const { rows } = await sql<{ yours: boolean }>`
    with mine as (
      select id from notifications
      where site_id = ${ctx.site.id} and id = ${id} and agent_id = ${agentActor(ctx).agentId}
    ), told as (
      update notifications n set told_at = ${happenedAt}, push_due_at = null
      from mine where n.site_id = ${ctx.site.id} and n.id = mine.id and n.seen_at is null
        and (n.told_at is null or n.told_at < ${happenedAt}) and n.happened_at <= ${happenedAt}
      returning n.id
    )
    select exists (select from told) as yours from mine`.execute(ctx.db);
  if (!rows[0]) throw notFound('notification');
  return rows[0].yours;
}
