import { useSyncExternalStore } from 'react';
import { scriptUrl } from '../policy/trusted.ts';

/** Only in Chromium. Other browsers install from their own menu and fire no event. */
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

/** Keeps the browser's install prompt until the agent's menu shows it. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    if (isOffer(event)) take(event);
  });
  addEventListener('appinstalled', () => take(undefined));
}

/** Shows the browser's install prompt; undefined if it isn't available or the desk is installed. */
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
      // A prompt can be shown once.
      take(undefined);
      current.prompt().catch(() => undefined);
    })
  );
}

/**
 * Registers the service worker in browsers that support it: for a fast start, an offline notice, and pushes. The desk
 * also works without it.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  // Offline it couldn't be fetched, which the browser would report as an error of the page.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !navigator.onLine) return undefined;
  return navigator.serviceWorker
    .register(scriptUrl('/app/service-worker.js'), { scope: '/app/', updateViaCache: 'none' })
    .catch(() => undefined);
}

/** Resolves when the service worker answers this page's requests, or can't: there is none, or its files are missing. */
export async function workerSettled(): Promise<void> {
  const registration = await registerWorker();
  if (!registration || navigator.serviceWorker.controller) return;
  await new Promise<void>((resolve) => {
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    const look = (): void => {
      // When it is activated, it has taken over every page but those that were reloaded past it.
      if (!worker || worker.state === 'activated' || worker.state === 'redundant') resolve();
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

const isMessage = (data: unknown): data is { type: unknown } =>
  typeof data === 'object' && data !== null && 'type' in data;

const pathToOpen = (data: { type: unknown }): string | undefined =>
  data.type === 'open' && 'path' in data && typeof data.path === 'string' && data.path.startsWith('/app/')
    ? data.path
    : undefined;

/**
 * A push was clicked while this desk is open: the worker finds a tab with its site, which opens the path. Returns a
 * function that stops listening.
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
