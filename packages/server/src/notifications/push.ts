import { type PushOutcome, wayOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { atSite, notificationPath } from '../base/desk-paths.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobData } from '../core/job-data.ts';
import { type DeskSpeech, deskSpeechOf } from '../i18n/desk-phrases.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { deskLanguageOf } from '../sites/agents/desk-language.ts';
import { withDefaults } from './choices.ts';
import { loadNotifications, type NotificationRow, tellingOf } from './notifications.ts';
import { dropDevice, findSubscription, getOwnDevice, liveDeviceIds, notePush } from './push-devices.ts';
import { sentenceOf } from './sentences.ts';

const LOOK_EVERY_MS = 1_000;
/** How long a push service keeps a push. An older one is no longer an alarm; the list has it. */
const KEPT_S = 4 * 3_600;
const TEXT_MAX = 140;
/** The push subscription no longer exists (RFC 8030, 7.3). */
const GONE = [404, 410];

/** What the service worker shows. Must fit the limits of push services. */
interface PushContent {
  title: string;
  body: string;
  /** A shown push is replaced by the next one with the same tag. */
  tag: string;
  /** The path that a click opens. */
  path: string;
}

/** By conversation. The desk uses the same tag to remove a shown push. */
const tagOf = ({ session_id, ticket_id }: NotificationRow): string => session_id ?? `ticket-${ticket_id}`;

function contentOf(siteId: number, row: NotificationRow, speech: DeskSpeech): PushContent {
  const place = { tag: tagOf(row), path: atSite(siteId, notificationPath(row.session_id, row.ticket_id)) };
  if (withDefaults(row.choices).hide_contents)
    return { title: 'Foyer', body: speech.say(`push_hidden_${row.kind}`), ...place };
  return {
    title: sentenceOf(row, speech),
    body: row.text.slice(0, TEXT_MAX).toWellFormed(),
    ...place,
  };
}

const isDue = (now: Date) => sql`n.push_due_at <= ${now} and n.seen_at is null`;

/**
 * No desk has claimed the notification: decides whether to push it. Queues one job per browser in the transaction
 * that records the push.
 */
async function decidePush(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = tx.now();
    const { rows } = await sql`
      select from notifications n where n.site_id = ${tx.site.id} and n.id = ${id} and ${isDue(now)} for update`.execute(
      tx.db,
    );
    if (rows.length === 0) return;
    const [row] = await loadNotifications(tx.db, tx.site.id, sql`n.id = ${id}`);
    const telling = row && tellingOf(row, now);
    const way =
      telling &&
      wayOf({
        attention: 'gone',
        ways: telling.ways,
        quiet: telling.quiet,
        canPush: telling.can_push,
        canMail: false,
        missed: false,
      });
    const isPushed = row !== undefined && way === 'push';
    await tx.db
      .updateTable('notifications')
      .set({ push_due_at: null, ...(isPushed ? { pushed_at: now } : {}) })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    if (!isPushed) return;
    for (const device_id of await liveDeviceIds(tx, row.agent_id))
      await tx.enqueue(
        'notifications.push',
        { notification_id: id, device_id },
        { key: `${tx.site.id}:${id}:${device_id}` },
      );
  });
}

const isRefusal = (statusCode: number): boolean =>
  statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;

async function sendTo(ctx: SiteContext, deviceId: number, content: PushContent): Promise<PushOutcome> {
  const subscription = await findSubscription(ctx, deviceId);
  if (!subscription) return 'gone';
  const topic = ctx.services.derivedToken(`push topic ${ctx.site.id} ${content.tag}`).slice(0, 32);
  const message = { text: JSON.stringify(content), keptS: KEPT_S, topic };
  const { statusCode, error } = await ctx.services.push.send(subscription, message);
  if (error === null) {
    await notePush(ctx, deviceId, 'sent');
    return 'sent';
  }
  if (statusCode !== null && GONE.includes(statusCode)) {
    await dropDevice(ctx, deviceId);
    return 'gone';
  }
  ctx.log.warn({ device_id: deviceId, status_code: statusCode }, `a push was refused: ${error}`);
  if (statusCode === null || !isRefusal(statusCode)) return 'unreachable';
  await notePush(ctx, deviceId, 'refused');
  return 'refused';
}

/**
 * The job for one browser. Sends nothing if the notification was seen meanwhile.
 * @throws errors that the queue should retry: the service is down or asks to wait
 */
export async function pushTo(
  ctx: SiteContext,
  { notification_id, device_id }: JobData<'notifications.push'>,
): Promise<void> {
  const [row] = await loadNotifications(
    ctx.db,
    ctx.site.id,
    sql`n.id = ${notification_id} and n.seen_at is null`,
  );
  if (!row) return;
  const content = contentOf(ctx.site.id, row, deskSpeechOf(await deskLanguageOf(ctx, row.agent_id)));
  if ((await sendTo(ctx, device_id, content)) === 'unreachable')
    throw new Error('a push service refused a push');
}

/** @throws AppError 404 for somebody else's browser */
export async function pushTest(ctx: SiteContext, id: number): Promise<PushOutcome> {
  await getOwnDevice(ctx, id);
  const { say } = deskSpeechOf(await deskLanguageOf(ctx, agentActor(ctx).agentId));
  const place = { tag: 'test', path: atSite(ctx.site.id, '/app/settings/notifications') };
  return sendTo(ctx, id, { title: say('push_test_title'), body: say('push_test_text'), ...place });
}

export const pushClock: RecurringJob = {
  name: 'notifications.push',
  everyMs: LOOK_EVERY_MS,
  due: ({ now, limit }) => sql`
    select n.site_id as "siteId", n.id from notifications n
    where n.push_due_at <= ${now} order by n.push_due_at limit ${limit}`,
  run: decidePush,
};
