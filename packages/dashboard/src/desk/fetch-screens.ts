import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What opens over a screen, and would be missing without a line as well. */
const LAYERS: readonly (() => Promise<unknown>)[] = [
  () => import('./AgentMenu.tsx'),
  () => import('./Palette.tsx'),
  () => import('./ShortcutSheet.tsx'),
  () => import('../screens/inbox/ChatMenu.tsx'),
  () => import('../screens/inbox/CloseChat.tsx'),
  () => import('../screens/inbox/FilterMenu.tsx'),
  () => import('../screens/inbox/MacroPicker.tsx'),
  () => import('../screens/inbox/QueueMenu.tsx'),
  () => import('../screens/inbox/TagPicker.tsx'),
  () => import('../screens/inbox/TakeOver.tsx'),
  () => import('../screens/inbox/ViewActions.tsx'),
];

/** Once the first screen stands. */
const AFTER_MS = 2_000;

/**
 * Fetches the parts of all other screens ahead. One that is opened first while the line is away would else be missing,
 * and the router answers that by reloading the page: everything on the screen would be gone.
 */
export function useFetchedScreens(): void {
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const route of Object.values(router.routesById))
        void router.loadRouteChunk(route)?.catch(() => undefined);
      for (const load of LAYERS) void load().catch(() => undefined);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [router]);
}
