import { call } from '../../api.ts';
import { store } from '../../storage.ts';
import { registerWorker } from '../install.ts';

/**
 * `insecure`: browsers allow it for https alone. `unsupported`: this one can't, or only for an installed app (iOS).
 * `denied`: the agent has told the browser no, and only there can it be taken back.
 */
export type PushState = 'insecure' | 'unsupported' | 'denied' | 'off' | 'on';

/** By agent: colleagues may share a browser, one person is an agent of each of their sites, and each has a choice of its own. */
const KEY = 'foyer.push.';
const keyOf = (agentId: number): string => KEY + agentId;

async function subscriptionHere(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration('/app/');
  return (await worker?.pushManager.getSubscription()) ?? null;
}

const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** What this browser makes of pushes for this agent now. */
export async function pushState(agentId: number): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  if (!canPush()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const isOn = store.getItem(keyOf(agentId)) !== null && Notification.permission === 'granted';
  return isOn && (await subscriptionHere()) ? 'on' : 'off';
}

/** Tells the server of this browser's subscription, whose session may be another than the last time. */
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
 * Asks the browser, and then lets it take pushes for this agent.
 * @throws when the browser's push service can't be reached, or the server refuses its address
 */
export async function turnPushOn(agentId: number, pushKey: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState(agentId);
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytesOf(pushKey);
  const before = await pushManager.getSubscription();
  // Of another installation, or of a secret that was replaced.
  if (before && !isFor(before, key)) await before.unsubscribe();
  await tell(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  store.setItem(keyOf(agentId), 'on');
  return 'on';
}

/** This browser takes no more pushes for this agent. */
export async function turnPushOff(agentId: number): Promise<void> {
  const { devices } = await call('notification_settings.get', {});
  const here = devices.find(({ current }) => current);
  if (here) await call('push_devices.remove', { id: here.id });
  // Not before: where the server could not be told, it goes on sending, and that can be tried again.
  store.removeItem(keyOf(agentId));
  // The browser has one subscription, which other agents may still need.
  if (!store.keys().some((key) => key.startsWith(KEY))) await (await subscriptionHere())?.unsubscribe();
}

/** After a new sign-in: what was on in this browser is on again. */
export async function keepPushOn(agentId: number): Promise<void> {
  if ((await pushState(agentId)) !== 'on') return;
  const subscription = await subscriptionHere();
  if (subscription) await tell(subscription);
}
