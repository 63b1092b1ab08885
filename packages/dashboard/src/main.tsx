import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from './desk/preferences.ts';
import { createQueryClient } from './queries.ts';
import { createDeskRouter, safeNext } from './router.tsx';
import './styles.css';
import { Toasts } from './ui/Toasts.tsx';

applyTheme();

/** The session has ended: to the sign-in page, and back here afterwards. What was written is kept. */
function signedOut(): void {
  if (location.pathname.startsWith('/app/sign-in')) return;
  const next = safeNext(location.pathname + location.search);
  void router.navigate({ to: '/sign-in', search: next ? { next } : {} });
}

const client = createQueryClient(signedOut);
const router = createDeskRouter(client);

// After an update of the server an old page asks for parts that are no longer there.
addEventListener('vite:preloadError', () => location.reload());

const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={client}>
          <Tooltip.Provider delay={500}>
            <RouterProvider router={router} />
            <Toasts />
          </Tooltip.Provider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
