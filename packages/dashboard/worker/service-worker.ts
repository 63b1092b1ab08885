import { assetOf, dropOldAssets, keepShell } from './assets.ts';
import { offlinePage } from './offline-page.ts';
import { followPush, showPush } from './pushes.ts';

declare const self: ServiceWorkerGlobalScope;

// Nothing but files that never change is kept, so a newer worker may take over under an open desk at once.
self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const begin = async (): Promise<void> => {
    await self.registration.navigationPreload?.enable();
    await dropOldAssets();
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

async function pageOf(event: FetchEvent): Promise<Response> {
  try {
    const ahead: Response | undefined = await event.preloadResponse;
    return ahead ?? (await fetch(event.request));
  } catch {
    return offlinePage();
  }
}

// Other requests go to the server as if there were no worker: data of pages is never cached.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(pageOf(event));
  else if (new URL(request.url).pathname.startsWith('/app/assets/')) event.respondWith(assetOf(request));
});

self.addEventListener('push', (event) => event.waitUntil(showPush(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(followPush(event.notification));
});
