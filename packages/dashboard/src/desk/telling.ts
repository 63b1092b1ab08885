import type { Notification, ServerFrame } from '@foyer/protocol';
import { type Attention, wayOf } from '@foyer/protocol/notification-rule';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { notificationsQuery } from '../queries.ts';
import { chime } from './chime.ts';
import type { Looking } from './notifications.ts';

type News = Extract<ServerFrame, { type: 'notified' }>;

/** Who has touched the desk so lately works at it. */
const ACTIVE_MS = 120_000;
/** Of several desks the nearest tells first: the others find that it has been told. */
const VISIBLE_WAIT_MS = 150;
const HIDDEN_WAIT_MS = 500;

/** How this tab stands to its agent. */
export interface Tab {
  client: QueryClient;
  looking: Looking | null;
  touchedAt: number;
}

const isAbout = (looking: Looking, { session_id, ticket_id }: Notification): boolean =>
  'session_id' in looking ? looking.session_id === session_id : looking.ticket_id === ticket_id;

/** How a shown push is found again: the server names it alike. */
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

/** At a desk where somebody works it is told by the list alone, too: then it isn't pushed. */
async function tell(notification: Notification, aloud: boolean): Promise<void> {
  const isVisible = document.visibilityState === 'visible';
  const wait = document.hasFocus() ? 0 : isVisible ? VISIBLE_WAIT_MS : HIDDEN_WAIT_MS;
  await new Promise((resolve) => setTimeout(resolve, wait));
  const { id, happened_utc } = notification;
  // Without an answer it is somebody else's to tell: the server's, if nobody has.
  const claim = await call('notifications.tell', { id, happened_utc }).catch(() => ({ yours: false }));
  if (!claim.yours || !aloud) return;
  chime();
  if (!isVisible) await showHere(notification);
}

/** There is news of something: this tab's part in telling it. The rule is everybody's, and the server lets one desk tell. */
export async function takeNews(tab: Tab, { notification, telling, unseen }: News): Promise<void> {
  show(tab, notification, unseen);
  if (notification.seen_utc !== null) return closeShown(notification);
  const attention = attentionOf(tab, notification);
  const { ways, quiet, can_push: canPush } = telling;
  const way = wayOf({ attention, ways, quiet, canPush, canMail: false, missed: false });
  if (way === 'seen') await settle(tab);
  else if (way === 'sound' || attention === 'active') await tell(notification, way === 'sound');
}

/** What is on the screen in a window that has the focus is seen. */
export async function settle({ client, looking }: Tab): Promise<void> {
  if (!looking || !document.hasFocus()) return;
  const known = await client.ensureQueryData(notificationsQuery).catch(() => undefined);
  const news = known?.notifications.filter((one) => one.seen_utc === null && isAbout(looking, one)) ?? [];
  // It is told again with the next look.
  if (news.length > 0) await call('notifications.see', looking).catch(() => undefined);
}

const worker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/app/') : undefined;

/** Takes a push away that was shown here and is no news any more. */
async function closeShown(notification: Notification): Promise<void> {
  const shown = await (await worker())?.getNotifications?.({ tag: tagOf(notification) });
  for (const one of shown ?? []) one.close();
}

/** The system's own notification from a desk that is open behind other windows, where no push comes. */
async function showHere(notification: Notification): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const { sentenceOf, pathOf } = await import('../screens/notifications/sentence.ts');
  const options = { body: notification.text, tag: tagOf(notification), data: { path: pathOf(notification) } };
  await (await worker())?.showNotification(sentenceOf(notification), options);
}
