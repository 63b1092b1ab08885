import { useNavigate } from '@tanstack/react-router';
import { Bell, CircleUser, Download, Keyboard, LogOut, SlidersHorizontal } from 'lucide-react';
import { signOut } from '../../auth.ts';
import { tCommon } from '../../t-common.ts';
import { Face } from '../../ui/Face.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { useMe } from '../DeskContext.tsx';
import { useInstall } from '../install.ts';
import { isChoice, presenceChoices, useChosenPresence, useOwnPresence } from '../presence.ts';

/** The agent's name, presence, preferences and sign-out. */
export function AgentMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { agent } = useMe();
  const navigate = useNavigate();
  const own = useOwnPresence();
  const [chosen, choose] = useChosenPresence();
  const install = useInstall();
  return (
    <Menu
      label={tCommon('menu')}
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-lg p-1 text-start hover:bg-pressed max-xl:justify-center xl:p-2"
        >
          <Face kind="agent" name={agent.name} picture={agent.picture_url} presence={own.seen} />
          <span className="min-w-0 max-xl:sr-only">
            <span className="block truncate font-medium">{agent.name}</span>
            <span className="block text-soft text-xs">{own.words}</span>
          </span>
        </button>
      }
      choice={{
        label: tCommon('presence'),
        value: chosen,
        options: presenceChoices(),
        onChange: (value) => isChoice(value) && choose(value),
      }}
      items={[
        {
          label: tCommon('account'),
          icon: <CircleUser aria-hidden />,
          onSelect: () => void navigate({ to: '/settings/account' }),
        },
        {
          label: tCommon('notification_settings'),
          icon: <Bell aria-hidden />,
          onSelect: () => void navigate({ to: '/settings/notifications' }),
        },
        {
          label: tCommon('preferences'),
          icon: <SlidersHorizontal aria-hidden />,
          onSelect: () => void navigate({ to: '/settings/preferences' }),
        },
        { label: tCommon('shortcuts'), icon: <Keyboard aria-hidden />, shortcut: '?', onSelect: onShortcuts },
        install ? { label: tCommon('install'), icon: <Download aria-hidden />, onSelect: install } : null,
        {
          label: tCommon('sign_out'),
          icon: <LogOut aria-hidden />,
          onSelect: () => void signOut().catch((error) => toast.error(tCommon('sign_out_failed'), error)),
        },
      ]}
    />
  );
}
