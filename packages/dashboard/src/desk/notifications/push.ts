import { call } from '../../api.ts';
import { store } from '../../storage.ts';
import { registerWorker } from '../install.ts';

/**
 * `insecure`: browsers only allow it on https. `unsupported`: this browser can't, or only for an installed app
 * (iOS). `denied`: the agent has blocked it, which only the browser's settings can undo.
 */
export type PushState = 'insecure' | 'unsupported' | 'denied' | 'off' | 'on';

/**
 * By agent: colleagues may share a browser, a person is a different agent on each site, and each has their own
 * choice.
 */
const KEY = 'foyer.push.';
const keyOf = (agentId: number): string => KEY + agentId;

async function subscriptionHere(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration('/app/');
  return (await worker?.pushManager.getSubscription()) ?? null;
}

const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Whether this browser shows pushes for this agent now. */
export async function pushState(agentId: number): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  if (!canPush()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const isOn = store.getItem(keyOf(agentId)) !== null && Notification.permission === 'granted';
  return isOn && (await subscriptionHere()) ? 'on' : 'off';
}

/** Sends this browser's subscription to the server. Its session may have changed. */
async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await call('push_devices.add', {
    endpoint: endpoint ?? '',
    p256dh: keys?.p256dh ?? '',
    auth: keys?.auth ?? '',
  });
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );

const isFor = ({ options }: PushSubscription, key: Uint8Array): boolean => {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((byte, at) => byte === key[at]);
};

/**
 * Asks for the browser's permission, then subscribes to pushes for this agent.
 * @throws if the browser's push service can't be reached, or the server refuses its address
 */
export async function turnPushOn(agentId: number, pushKey: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState(agentId);
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytesOf(pushKey);
  const before = await pushManager.getSubscription();
  // A subscription of another installation, or with an old secret.
  if (before && !isFor(before, key)) await before.unsubscribe();
  await tell(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  store.setItem(keyOf(agentId), 'on');
  return 'on';
}

/** Unsubscribes this agent in this browser. */
export async function turnPushOff(agentId: number): Promise<void> {
  const { devices } = await call('notification_settings.get', {});
  const here = devices.find(({ current }) => current);
  if (here) await call('push_devices.remove', { id: here.id });
  // Not before: if the server couldn't be reached, it keeps sending, and the agent can try again.
  store.removeItem(keyOf(agentId));
  // The browser has one subscription, which other agents may still need.
  if (!store.keys().some((key) => key.startsWith(KEY))) await (await subscriptionHere())?.unsubscribe();
}

/** After a new sign-in, restores the subscription in this browser. */
export async function keepPushOn(agentId: number): Promise<void> {
  if ((await pushState(agentId)) !== 'on') return;
  const subscription = await subscriptionHere();
  if (subscription) await tell(subscription);
}
