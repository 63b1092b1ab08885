import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { registerWorker, watchInstall } from './desk/install.ts';
import { applyTheme } from './desk/preferences.ts';
import { askAtDesk } from './desk/shell/signed-out.ts';
import { declareLanguage, wordsAreThere } from './language.ts';
import { createQueryClient } from './queries.ts';
import { createDeskRouter } from './router.tsx';
import { safeNext } from './routes/desk-routes.tsx';
import { findSite } from './site.ts';
import './styles.css';
import { TipLayer } from './ui/TipLayer.tsx';
import { Toasts } from './ui/toasts/Toasts.tsx';

const WORKER_AFTER_MS = 3_000;

// Before the router reads the address.
findSite();
applyTheme();
declareLanguage();
watchInstall();
// The worker's prefetching must not compete with the first screen's load.
addEventListener('load', () => setTimeout(() => void registerWorker(), WORKER_AFTER_MS));

/**
 * The session has ended: the desk shows a sign-in dialog. Without a desk, goes to the sign-in page and back here
 * afterwards.
 */
function signedOut(): void {
  if (location.pathname.startsWith('/app/sign-in') || askAtDesk()) return;
  const next = safeNext(location.pathname + location.search);
  void router.navigate({ to: '/sign-in', search: next ? { next } : {} });
}

const client = createQueryClient(signedOut);
const router = createDeskRouter(client);

/** Where the last reload is noted: a part that is permanently missing must not cause endless reloads. */
const RELOADED = 'foyer.reloaded';
const RELOAD_AGAIN_MS = 60_000;

/** Whether the server has another version of the desk by now, whose parts have other names. */
async function isOutdated(): Promise<boolean> {
  const answer = await fetch('/app/', { cache: 'no-store' });
  return answer.ok && !(await answer.text()).includes(new URL(import.meta.url).pathname);
}

// After an update of the server, an old page requests parts that no longer exist. Any other cause, such as a server
// that was down for a moment, is no reason to reload, because that would lose what is on the screen.
addEventListener('vite:preloadError', () => {
  isOutdated().then(
    (yes) => {
      if (!yes || Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) return;
      sessionStorage.setItem(RELOADED, String(Date.now()));
      location.reload();
    },
    () => undefined,
  );
});

const place = document.getElementById('root');
if (place) {
  const root = createRoot(place);
  // The frame around the screens can't suspend for its phrases.
  void wordsAreThere().then(() =>
    root.render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
            <Toasts />
            <TipLayer />
          </QueryClientProvider>
        </CSPProvider>
      </StrictMode>,
    ),
  );
}
