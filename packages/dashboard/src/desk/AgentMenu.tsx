import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUser, Keyboard, LogOut, SlidersHorizontal } from 'lucide-react';
import { signOut } from '../auth.ts';
import { presenceQuery } from '../queries.ts';
import { Face } from '../ui/Face.tsx';
import { Menu } from '../ui/Menu.tsx';
import { complain } from '../ui/toast-store.ts';
import { useLiveState, useMe } from './DeskContext.tsx';

/** Whether the server counts me as there: this page's socket is up. */
function useOnline(): boolean {
  const { agent } = useMe();
  const ids = useQuery(presenceQuery).data ?? [];
  return useLiveState() === 'online' && ids.includes(agent.id);
}

/** Who I am, whether I am there, and the way out. */
export function AgentMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { agent } = useMe();
  const navigate = useNavigate();
  const online = useOnline();
  const state = online ? 'Online' : 'Offline';
  return (
    <Menu
      label="Your menu"
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-lg p-1 text-start hover:bg-pressed max-xl:justify-center xl:p-2"
        >
          <Face kind="agent" name={agent.name} online={online} />
          <span className="min-w-0 max-xl:sr-only">
            <span className="block truncate font-medium">{agent.name}</span>
            <span className="block text-soft text-xs">
              {state}
              <span className="sr-only">. Your menu</span>
            </span>
          </span>
        </button>
      }
      items={[
        {
          label: 'Your account',
          icon: <CircleUser aria-hidden />,
          onSelect: () => void navigate({ to: '/settings/account' }),
        },
        {
          label: 'Appearance and sound',
          icon: <SlidersHorizontal aria-hidden />,
          onSelect: () => void navigate({ to: '/settings/preferences' }),
        },
        { label: 'Shortcuts', icon: <Keyboard aria-hidden />, shortcut: '?', onSelect: onShortcuts },
        {
          label: 'Sign out',
          icon: <LogOut aria-hidden />,
          onSelect: () => void signOut().catch((error) => complain('You are still signed in', error)),
        },
      ]}
    />
  );
}
