import type { Me } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { signInSettled } from '../../auth.ts';
import { closePalette, openPalette, togglePalette, useAsked } from '../../commands/ask.ts';
import { useCommandKeys, useCommands } from '../../commands/commands.ts';
import { lazyPart } from '../../lazy-part.ts';
import { meQuery } from '../../queries.ts';
import { tCommon } from '../../t-common.ts';
import { canUndo, onToasts, undoLast } from '../../ui/toasts/toast-store.ts';
import { DeskContext, useLiveState, useOutbox } from '../DeskContext.tsx';
import { Desk } from '../desk.ts';
import { useFileGuard } from '../file-guard.ts';
import { onPushFollowed } from '../install.ts';
import { useTitle } from '../notifications/title.ts';
import { useFetchedScreens } from './fetch-screens.ts';
import { MainNav } from './MainNav.tsx';
import { loadSignInAgain, useSignedOut } from './signed-out.ts';

const Palette = lazyPart(() => import('../../commands/Palette.tsx'), 'Palette');
const NewTicket = lazyPart(() => import('../../screens/inbox/ticket/NewTicket.tsx'), 'NewTicket');
const EnrolScreen = lazyPart(() => import('../../screens/welcome/EnrolScreen.tsx'), 'EnrolScreen');
const SignInAgain = lazyPart(loadSignInAgain, 'SignInAgain');
const ShortcutSheet = lazyPart(() => import('../../commands/ShortcutSheet.tsx'), 'ShortcutSheet');

/** Everything around the screens while an agent is signed in. */
export function Shell() {
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  if (me.site.two_factor_required && !me.agent.two_factor) {
    return (
      <Suspense>
        <EnrolScreen />
      </Suspense>
    );
  }
  return <SignedIn key={me.agent.id} me={me} />;
}

/** One desk for each agent who signs in; newer facts about the same agent come through the query. */
function SignedIn({ me }: { me: Me }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [desk] = useState(
    () =>
      new Desk({
        client,
        me,
        checkSignedIn: async () => {
          await signInSettled();
          return client.fetchQuery({ ...meQuery, staleTime: 0 });
        },
      }),
  );
  useEffect(() => desk.start(), [desk]);
  useEffect(() => onPushFollowed((path) => void navigate({ to: path })), [navigate]);
  return (
    <DeskContext value={desk}>
      <Frame />
    </DeskContext>
  );
}

function Frame() {
  const asked = useAsked();
  const [sheet, setSheet] = useState(false);
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
    new_ticket: () => setNewTicket(true),
    undo: useSyncExternalStore(onToasts, canUndo) ? () => void undoLast() : undefined,
  });
  return (
    <div className="flex h-dvh flex-col">
      <OfflineBanner />
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
      {sheet ? (
        <Suspense>
          <ShortcutSheet open onClose={() => setSheet(false)} />
        </Suspense>
      ) : null}
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
