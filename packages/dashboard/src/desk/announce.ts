import type { Notification, ServerFrame } from '@foyer/protocol';
import { type Attention, wayOf } from '@foyer/protocol/sites/notification-rule';
import { call } from '../api.ts';
import { wordsAreThere } from '../language.ts';
import { notificationsQuery } from '../queries.ts';
import { withSite } from '../site.ts';
import { chime } from './notifications/chime.ts';
import type { Looking, Tab } from './tab.ts';

type News = Extract<ServerFrame, { type: 'notified' }>;

/** An agent who used the desk this recently counts as working at it. */
const ACTIVE_MS = 120_000;
/** Of several open desks the one in front announces first; the others find the notification claimed. */
const VISIBLE_WAIT_MS = 150;
const HIDDEN_WAIT_MS = 500;

const isAbout = (looking: Looking, { session_id, ticket_id }: Notification): boolean =>
  'session_id' in looking ? looking.session_id === session_id : looking.ticket_id === ticket_id;

/** The tag of a shown push, by which it is found again; the server uses the same. */
const tagOf = ({ session_id, ticket_id }: Notification): string => session_id ?? `ticket-${ticket_id}`;

function attentionOf({ looking, touchedAt }: Tab, notification: Notification): Attention {
  if (document.hasFocus() && looking && isAbout(looking, notification)) return 'looking';
  const isActive = document.visibilityState === 'visible' && Date.now() - touchedAt < ACTIVE_MS;
  return isActive ? 'active' : 'open';
}

function show({ client }: Tab, notification: Notification, unseen: number): void {
  client.setQueryData(notificationsQuery.queryKey, (known) => {
    if (!known) return known;
    const others = known.notifications.filter(({ id }) => id !== notification.id);
    const isOver = notification.kind === 'chat_waiting' && notification.seen_utc !== null;
    const notifications = [...(isOver ? [] : [notification]), ...others].toSorted((a, b) =>
      b.happened_utc.localeCompare(a.happened_utc),
    );
    return { unseen, notifications };
  });
}

/** Claims the notification, so that it is announced once and not pushed, then plays the sound. */
async function announce(notification: Notification, aloud: boolean): Promise<void> {
  const isVisible = document.visibilityState === 'visible';
  const wait = document.hasFocus() ? 0 : isVisible ? VISIBLE_WAIT_MS : HIDDEN_WAIT_MS;
  await new Promise((resolve) => setTimeout(resolve, wait));
  const { id, happened_utc } = notification;
  // Without an answer another desk announces it, or the server pushes it.
  const claim = await call('notifications.tell', { id, happened_utc }).catch(() => ({ yours: false }));
  if (!claim.yours || !aloud) return;
  chime();
  if (!isVisible) await showHere(notification);
}

/** Lists a notification and announces it, if the shared rule says so for this tab; the server lets one desk do it. */
export async function takeNews(tab: Tab, { notification, telling, unseen }: News): Promise<void> {
  show(tab, notification, unseen);
  if (notification.seen_utc !== null) return closeShown(notification);
  const attention = attentionOf(tab, notification);
  const { ways, quiet, can_push: canPush } = telling;
  const way = wayOf({ attention, ways, quiet, canPush, canMail: false, missed: false });
  if (way === 'seen') await markSeen(tab);
  else if (way === 'sound' || attention === 'active') await announce(notification, way === 'sound');
}

/** Marks what is on the screen as seen, if the window has the focus. */
export async function markSeen({ client, looking }: Tab): Promise<void> {
  if (!looking || !document.hasFocus()) return;
  const known = await client.ensureQueryData(notificationsQuery).catch(() => undefined);
  const news = known?.notifications.filter((one) => one.seen_utc === null && isAbout(looking, one)) ?? [];
  // A failure is repaired by the next look.
  if (news.length > 0) await call('notifications.see', looking).catch(() => undefined);
}

const worker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/app/') : undefined;

/** Closes a push that was shown here and is outdated. */
async function closeShown(notification: Notification): Promise<void> {
  const shown = await (await worker())?.getNotifications?.({ tag: tagOf(notification) });
  for (const one of shown ?? []) one.close();
}

/** A system notification from a desk that is open behind other windows: no push comes there. */
async function showHere(notification: Notification): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const { sentenceOf, pathOf } = await import('../screens/notifications/sentence.ts');
  await wordsAreThere();
  const options = {
    body: notification.text,
    tag: tagOf(notification),
    data: { path: withSite(pathOf(notification)) },
  };
  await (await worker())?.showNotification(sentenceOf(notification), options);
}
