import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

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
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [router]);
}
