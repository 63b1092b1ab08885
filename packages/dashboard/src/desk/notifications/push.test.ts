import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { store } from '../../storage.ts';
import { pushState, turnPushOff } from './push.ts';

const ADA = 7;
let subscription: { unsubscribe: () => Promise<void> } | null;
let asked: string[];

/** A browser with pushes on, and a server that removes the device, or can't be reached. */
function setUp({ removes }: { removes: boolean }): void {
  asked = [];
  subscription = {
    unsubscribe: async () => {
      subscription = null;
    },
  };
  const pushManager = { getSubscription: async () => subscription };
  const notification = { permission: 'granted' };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ pushManager }) } });
  vi.stubGlobal('Notification', notification);
  vi.stubGlobal('window', { isSecureContext: true, PushManager: {}, Notification: notification });
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    if (path.endsWith('notification_settings.get'))
      return Response.json({ ok: true, data: { devices: [{ id: 3, current: true }] }, request_id: 'r' });
    if (!removes) throw new TypeError('Failed to fetch');
    return Response.json({ ok: true, data: { done: true }, request_id: 'r' });
  });
}

beforeEach(() => store.setItem(`foyer.push.${ADA}`, 'on'));
afterEach(() => vi.unstubAllGlobals());

test('pushes that are turned off stay off in this browser', async () => {
  setUp({ removes: true });
  expect(await pushState(ADA)).toBe('on');
  await turnPushOff(ADA);
  expect(asked.at(-1)).toBe('/app/api/push_devices.remove');
  expect(await pushState(ADA)).toBe('off');
  expect(subscription).toBeNull();
});

test('pushes are not shown as off if the server could not be reached to stop them', async () => {
  setUp({ removes: false });
  await expect(turnPushOff(ADA)).rejects.toThrow();
  expect(await pushState(ADA)).toBe('on');
});

test('pushes of another site stay on in this browser', async () => {
  const ELSEWHERE = 8;
  store.setItem(`foyer.push.${ELSEWHERE}`, 'on');
  setUp({ removes: true });
  await turnPushOff(ADA);
  expect(await pushState(ADA)).toBe('off');
  expect(await pushState(ELSEWHERE)).toBe('on');
  store.removeItem(`foyer.push.${ELSEWHERE}`);
});
