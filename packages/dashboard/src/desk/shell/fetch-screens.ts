import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { wordsAreThere } from '../../language.ts';
import { useDesk } from '../DeskContext.tsx';
import { loadSignInAgain } from './signed-out.ts';

/** What opens over a screen, and would be missing without a line as well. */
const LAYERS: readonly (() => Promise<unknown>)[] = [
  // First what is needed when something has gone wrong. A server that goes while a part is fetched takes that part away
  // until the page is loaded again, and without this one nobody could sign in to save what stands on the screen.
  () => import('../../errors/error-words.ts'),
  loadSignInAgain,
  () => import('./AgentMenu.tsx'),
  () => import('../sites/SiteMenu.tsx'),
  () => import('../sites/SiteLayer.tsx'),
  () => import('../notifications/push.ts'),
  () => import('../announce.ts'),
  () => import('../../screens/notifications/Bell.tsx'),
  () => import('../../commands/Palette.tsx'),
  () => import('../../commands/ShortcutSheet.tsx'),
  () => import('../../screens/inbox/chat/ChatMenu.tsx'),
  () => import('../../screens/inbox/chat/CollectQuestion.tsx'),
  () => import('../../screens/inbox/filters/Controls.tsx'),
  () => import('../../screens/inbox/NotSent.tsx'),
  () => import('../../screens/inbox/list/QueueMenu.tsx'),
  () => import('../../screens/inbox/bulk/BulkBar.tsx'),
  () => import('../../screens/inbox/chat/AssignChat.tsx'),
  () => import('../../screens/inbox/chat/SummaryDialog.tsx'),
  () => import('../../screens/visitors/person/PersonPanel.tsx'),
  () => import('../../screens/inbox/TagPicker.tsx'),
  () => import('../../screens/inbox/views/ViewActions.tsx'),
  () => import('../../screens/inbox/writing/macros/MacroPicker.tsx'),
  () => import('../../screens/inbox/writing/drafts/TakeOver.tsx'),
];

/** Not every browser says whether its user saves data; TypeScript's DOM doesn't know it. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Once the first screen stands. */
const AFTER_MS = 2_000;

/**
 * Fetches the parts of all other screens ahead. One that is opened first while the line is away would else be missing,
 * and the router answers that by reloading the page: everything on the screen would be gone. A browser also remembers
 * that a part could not be had, and never asks again: so one at a time, and only while the line stands. A browser that
 * saves data loads each screen when it is opened.
 */
export function useFetchedScreens(): void {
  const desk = useDesk();
  const router = useRouter();
  useEffect(() => {
    if (savesData()) return;
    const parts: (() => Promise<unknown> | undefined)[] = [
      ...LAYERS,
      ...Object.values(router.routesById).map((route) => () => router.loadRouteChunk(route)),
    ];
    let isFetching = true;
    const fetchOn = async (): Promise<void> => {
      if (isFetching) return;
      isFetching = true;
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
