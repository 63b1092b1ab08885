import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { wordsAreThere } from '../../language.ts';
import { useDesk } from '../DeskContext.tsx';
import { workerSettled } from '../install.ts';

/** Not every browser reports data saving, and TypeScript's DOM types lack it. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** After the first screen is rendered. */
const AFTER_MS = 2_000;

/**
 * Prefetches the parts of all other screens. Otherwise a screen first opened offline would be missing, and the
 * router would reload the page and lose everything on it. Browsers also remember a failed part and never request it
 * again, so parts are loaded one at a time, and only while the connection is up. With data saving, screens are
 * loaded when opened.
 *
 * The service worker comes first: it waits for a server that has died, where a browser without one would remember
 * that the part failed.
 */
export function useFetchedScreens(): void {
  const desk = useDesk();
  const router = useRouter();
  useEffect(() => {
    if (savesData()) return;
    const parts: (() => Promise<unknown> | undefined)[] = [
      async () => {
        const { LAYERS } = await import('./layers.ts');
        parts.unshift(...LAYERS);
      },
      ...Object.values(router.routesById).map((route) => () => router.loadRouteChunk(route)),
    ];
    let isFetching = true;
    const fetchOn = async (): Promise<void> => {
      if (isFetching) return;
      isFetching = true;
      await workerSettled();
      while (desk.live.state === 'online') {
        const part = parts.shift();
        if (part === undefined) return;
        await part()?.catch(() => undefined);
        await wordsAreThere();
      }
      isFetching = false;
    };
    const unsubscribe = desk.onState(() => void fetchOn());
    const timer = setTimeout(() => {
      isFetching = false;
      void fetchOn();
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      parts.length = 0;
    };
  }, [router, desk]);
}
