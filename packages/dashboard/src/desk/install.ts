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
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Without it the desk is what it was before.
  navigator.serviceWorker
    .register('/app/service-worker.js', { scope: '/app/', updateViaCache: 'none' })
    .catch(() => undefined);
}
