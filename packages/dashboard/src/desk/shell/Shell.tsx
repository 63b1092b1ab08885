import type { Me } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useMatchRoute, useNavigate, useRouter } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { signInSettled } from '../../auth.ts';
import { closePalette, openPalette, togglePalette, useAsked } from '../../commands/ask.ts';
import { useCommandKeys, useCommands } from '../../commands/commands.ts';
import { lazyPart } from '../../lazy-part.ts';
import { meQuery } from '../../queries.ts';
import { wasRefused } from '../../site.ts';
import { tCommon } from '../../t-common.ts';
import { canUndo, onToasts, toast, undoLast } from '../../ui/toasts/toast-store.ts';
import { DeskContext, useLiveState, useMay, useMe, useOutbox } from '../DeskContext.tsx';
import { Desk } from '../desk.ts';
import { useFileGuard } from '../file-guard.ts';
import { onPushFollowed } from '../install.ts';
import { useTitle } from '../notifications/title.ts';
import { watchLinksBeside } from '../sites/links-beside.ts';
import { openPath } from '../sites/open-path.ts';
import { useAskedSite } from '../sites/switch-site.ts';
import { useFetchedScreens } from './fetch-screens.ts';
import { MainNav, SiteHead } from './MainNav.tsx';
import type { NavItem } from './nav.ts';
import { loadSignInAgain, useSignedOut } from './signed-out.ts';

const Palette = lazyPart(() => import('../../commands/Palette.tsx'), 'Palette');
const NewTicket = lazyPart(() => import('../../screens/inbox/ticket/NewTicket.tsx'), 'NewTicket');
const EnrolScreen = lazyPart(() => import('../../screens/welcome/EnrolScreen.tsx'), 'EnrolScreen');
const SignInAgain = lazyPart(loadSignInAgain, 'SignInAgain');
const SiteLayer = lazyPart(() => import('../sites/SiteLayer.tsx'), 'SiteLayer');
const ShortcutSheet = lazyPart(() => import('../../commands/ShortcutSheet.tsx'), 'ShortcutSheet');

/** Everything around the screens while an agent is signed in. */
export function Shell() {
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  if (me.must_enrol) {
    return (
      <Suspense>
        <EnrolScreen />
      </Suspense>
    );
  }
  return <SignedIn key={me.agent.id} me={me} />;
}

/** One desk per signed-in agent. Changes of the same agent arrive through the query. */
function SignedIn({ me }: { me: Me }) {
  const client = useQueryClient();
  const router = useRouter();
  const [desk] = useState(
    () =>
      new Desk({
        client,
        me,
        checkSignedIn: async () => {
          await signInSettled();
          // One that is under way may have been sent while the session lasted, and would say that it still does.
          await client.cancelQueries({ queryKey: meQuery.queryKey, exact: true });
          return client.fetchQuery({ ...meQuery, staleTime: 0 });
        },
      }),
  );
  useEffect(() => desk.start(), [desk]);
  const siteId = me.site.id;
  useEffect(() => onPushFollowed(siteId, (path) => openPath(router, path)), [router, siteId]);
  useSiteOfTab(me);
  return (
    <DeskContext value={desk}>
      <Frame />
    </DeskContext>
  );
}

/** Says why this isn't the requested site, and adds the site to links that are opened in other tabs. */
function useSiteOfTab({ site, sites }: Me): void {
  useEffect(() => {
    if (wasRefused()) toast.error(tCommon('site_refused'), tCommon('site_refused_hint', { site: site.name }));
  }, [site.name]);
  const hasSeveral = sites.length > 1;
  useEffect(() => {
    if (hasSeveral) return watchLinksBeside();
  }, [hasSeveral]);
}

function Frame() {
  const asked = useAsked();
  const [sheet, setSheet] = useState(false);
  const mayAnswer = useMay('answer');
  const [newTicket, setNewTicket] = useState(false);
  const [isSignedOut, onSignedIn] = useSignedOut();
  const matchRoute = useMatchRoute();
  const inChat = Boolean(
    matchRoute({ to: '/inbox/$sessionId' }) || matchRoute({ to: '/inbox/tickets/$ticketId' }),
  );
  useTitle();
  useFileGuard();
  useFetchedScreens();
  useCommandKeys(openPalette);
  useCommands({
    palette: togglePalette,
    sheet: () => setSheet(true),
    queue: () => openPalette('queue'),
    new_ticket: mayAnswer ? () => setNewTicket(true) : undefined,
    undo: useSyncExternalStore(onToasts, canUndo) ? () => void undoLast() : undefined,
    ...useWaysAbout(),
  });
  return (
    <div className="flex h-dvh flex-col">
      <OfflineBanner />
      {inChat ? null : <PhoneSiteBar />}
      <div className="flex min-h-0 flex-1 max-md:flex-col-reverse">
        <MainNav onSearch={() => openPalette()} onShortcuts={() => setSheet(true)} hiddenOnPhone={inChat} />
        <main className="flex min-h-0 min-w-0 flex-1 overflow-hidden md:border-s">
          <Outlet />
        </main>
      </div>
      {asked ? (
        <Suspense>
          <Palette key={asked.command ?? 'all'} command={asked.command} onClose={closePalette} />
        </Suspense>
      ) : null}
      {newTicket ? (
        <Suspense>
          <NewTicket onClose={() => setNewTicket(false)} />
        </Suspense>
      ) : null}
      {isSignedOut ? (
        <Suspense>
          <SignInAgain onIn={onSignedIn} />
        </Suspense>
      ) : null}
      <AskedSite />
      {sheet ? (
        <Suspense>
          <ShortcutSheet open onClose={() => setSheet(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The keys of the main menu's pages. */
function useWaysAbout() {
  const navigate = useNavigate();
  const goTo = (to: NavItem['to']) => () => void navigate({ to });
  return {
    go_inbox: goTo('/inbox'),
    go_visitors: goTo('/visitors'),
    go_knowledge: goTo('/knowledge'),
    go_reports: useMay('reports') ? goTo('/reports') : undefined,
    go_settings: goTo('/settings'),
  };
}

function AskedSite() {
  if (useAskedSite() === null) return null;
  return (
    <Suspense>
      <SiteLayer />
    </Suspense>
  );
}

/** Phones have no column with the site's name. */
function PhoneSiteBar() {
  if (useMe().sites.length < 2) return null;
  return (
    <div className="h-10 shrink-0 border-b bg-frame px-2 md:hidden">
      <SiteHead />
    </div>
  );
}

function OfflineBanner() {
  const state = useLiveState();
  const waiting = useOutbox().filter((item) => item.state === 'pending').length;
  return (
    <div role="status">
      {state === 'offline' ? (
        <p className="late flex items-center justify-center gap-2 border-warn-line border-b bg-warn-ground px-4 py-1 text-warn-text">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {tCommon(waiting > 0 ? 'offline_waiting' : 'offline')}
        </p>
      ) : null}
    </div>
  );
}
