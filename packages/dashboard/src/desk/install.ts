import { useSyncExternalStore } from 'react';

/** Of Chromium: other browsers install from their own menu, and say nothing. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

function take(next: InstallOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

const isOffer = (event: Event): event is InstallOffer => 'prompt' in event;

/** Keeps the browser's offer to install the desk until the agent's menu makes it. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    if (isOffer(event)) take(event);
  });
  addEventListener('appinstalled', () => take(undefined));
}

/** Lets the browser ask whether to install the desk; undefined where it can't, or has. */
export function useInstall(): (() => void) | undefined {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offer,
  );
  return (
    current &&
    (() => {
      // An offer can be made once.
      take(undefined);
      current.prompt().catch(() => undefined);
    })
  );
}

/** Starts fast, says honestly when there is no line, and hears of pushes: beside the page, in browsers that can. */
export async function registerWorker(): Promise<void> {
  // Without a line it could not be fetched, which the browser would report as a fault of the page.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !navigator.onLine) return;
  // Without it the desk is what it was before.
  await navigator.serviceWorker
    .register('/app/service-worker.js', { scope: '/app/', updateViaCache: 'none' })
    .catch(() => undefined);
}

const isMessage = (data: unknown): data is { type: unknown } =>
  typeof data === 'object' && data !== null && 'type' in data;

const pathToOpen = (data: { type: unknown }): string | undefined =>
  data.type === 'open' && 'path' in data && typeof data.path === 'string' && data.path.startsWith('/app/')
    ? data.path
    : undefined;

/**
 * A push was clicked while this desk is open: the worker looks for a tab of its site and has it open the path. The answer
 * stops listening.
 */
export function onPushFollowed(site: number, open: (path: string) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const hear = ({ data, ports }: MessageEvent<unknown>): void => {
    if (!isMessage(data)) return;
    if (data.type === 'which_site') ports[0]?.postMessage(site);
    const path = pathToOpen(data);
    if (path !== undefined) open(path);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}
