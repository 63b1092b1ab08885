declare const self: ServiceWorkerGlobalScope;

/** As the server encrypts it (`notifications/push.ts`). */
interface Push {
  title: string;
  body: string;
  tag: string;
  path: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function readPush(data: PushMessageData | null): Push {
  try {
    const { title, body, tag, path } = data?.json() ?? {};
    if (isText(title) && isText(body) && isText(tag) && isText(path)) return { title, body, tag, path };
  } catch {
    // Not from this server, or from another version.
  }
  // Browsers require a notification for every push.
  return { title: 'Foyer', body: '', tag: 'unknown', path: '/app/inbox' };
}

/** Shows a push; the next one of the same conversation replaces it. */
export function showPush(data: PushMessageData | null): Promise<void> {
  const { title, body, tag, path } = readPush(data);
  return self.registration.showNotification(title, {
    body,
    tag,
    data: { path },
    icon: '/app/icon-192.png',
    badge: '/app/badge-96.png',
  });
}

/** A sleeping tab doesn't answer, and a click must not wait long. */
const ANSWER_MS = 1_000;

/** Asks a desk which site it shows. */
function siteOf(desk: WindowClient): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, ANSWER_MS);
    desk.postMessage({ type: 'which_site' }, [port2]);
  });
}

/** A desk that is open at the site that the path names. */
async function openDesk(path: string): Promise<WindowClient | undefined> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const desks = windows.filter(({ url }) => new URL(url).pathname.startsWith('/app/'));
  const wanted = new URL(path, location.origin).searchParams.get('site');
  if (wanted === null) return desks[0];
  const sites = await Promise.all(desks.map(siteOf));
  return desks.find((_, at) => String(sites[at]) === wanted);
}

/** Opens the conversation: in a desk that is open at its site, or else in a new one. Never leaves the desk. */
export async function followPush({ data }: Notification): Promise<void> {
  const path = isText(data?.path) && data.path.startsWith('/app/') ? data.path : '/app/inbox';
  const desk = await openDesk(path);
  if (!desk) {
    await self.clients.openWindow(path);
    return;
  }
  // The desk navigates on its own: navigating the window would reload it, and unsent text might be lost.
  desk.postMessage({ type: 'open', path });
  // If the browser allows it.
  await desk.focus().catch(() => undefined);
}
