import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { CircleDot, FilePlus, FileUp, Keyboard, Moon, Search, Sun, UserPlus, Webhook } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { callPage } from '../api.ts';
import { base } from '../base.ts';
import { Face } from '../ui/Face.tsx';
import { useNow } from '../ui/Time.tsx';
import { snippetOf, stateSentence, visitorName } from '../words.ts';
import { useMe } from './DeskContext.tsx';
import { NAV } from './nav.ts';
import { setTheme } from './preferences.ts';
import { presenceChoices, useChosenPresence } from './presence.ts';

const FOUND_CHATS = 6;

function Item({ icon, onSelect, children }: { icon: ReactNode; onSelect: () => void; children: string }) {
  return (
    <Command.Item
      onSelect={onSelect}
      className="flex h-10 cursor-default items-center gap-3 rounded-lg px-3 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-soft"
    >
      {icon}
      <span className="truncate">{children}</span>
    </Command.Item>
  );
}

const GROUP =
  'px-2 pb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint';

/** Ctrl K: every page, the frequent actions, and chats by what was written in them. */
export function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const [search, setSearch] = useState('');
  const navigate = useNavigate();
  const go = (act: () => void) => (): void => {
    onClose();
    act();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label={base('search_and_commands')}
          className="-translate-x-1/2 appear fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-32px)] max-w-xl overflow-hidden rounded-xl bg-raised shadow-float outline-none"
        >
          <Command label={base('search_and_commands')} loop>
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-soft" />
              <Command.Input
                autoFocus
                value={search}
                onValueChange={setSearch}
                placeholder={base('palette_placeholder')}
                className="h-12 w-full bg-transparent text-base outline-none"
              />
            </div>
            <Command.List className="scroll-y max-h-[50vh] pt-1">
              <Command.Empty className="px-5 py-6 text-center text-soft">
                {base('palette_none', { search })}
              </Command.Empty>
              <Command.Group heading={base('palette_go')} className={GROUP}>
                {NAV.map(({ to, word, icon: Icon }) => (
                  <Item key={to} icon={<Icon aria-hidden />} onSelect={go(() => void navigate({ to }))}>
                    {base(word)}
                  </Item>
                ))}
              </Command.Group>
              {/* They come later than the rest; below the first group they don't move what is chosen. */}
              <Chats search={search} go={go} />
              <Command.Group heading={base('palette_do')} className={GROUP}>
                <Item
                  icon={<FilePlus aria-hidden />}
                  onSelect={go(() => void navigate({ to: '/knowledge/new' }))}
                >
                  {base('palette_write')}
                </Item>
                <Item
                  icon={<FileUp aria-hidden />}
                  onSelect={go(() => void navigate({ to: '/knowledge/import' }))}
                >
                  {base('palette_import')}
                </Item>
                <Item
                  icon={<UserPlus aria-hidden />}
                  onSelect={go(() => void navigate({ to: '/settings/team' }))}
                >
                  {base('palette_invite')}
                </Item>
                <Item
                  icon={<Webhook aria-hidden />}
                  onSelect={go(() => void navigate({ to: '/settings/webhooks' }))}
                >
                  {base('palette_webhooks')}
                </Item>
                <Presences go={go} />
                <Item icon={<Sun aria-hidden />} onSelect={go(() => setTheme('light'))}>
                  {base('palette_light')}
                </Item>
                <Item icon={<Moon aria-hidden />} onSelect={go(() => setTheme('dark'))}>
                  {base('palette_dark')}
                </Item>
                <Item icon={<Keyboard aria-hidden />} onSelect={go(onShortcuts)}>
                  {base('palette_shortcuts')}
                </Item>
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Presences({ go }: { go: (act: () => void) => () => void }) {
  const [chosen, choose] = useChosenPresence();
  return presenceChoices()
    .filter(({ value }) => value !== chosen)
    .map(({ value }) => (
      <Item key={value} icon={<CircleDot aria-hidden />} onSelect={go(() => choose(value))}>
        {base(`palette_${value}`)}
      </Item>
    ));
}

function Chats({ search, go }: { search: string; go: (act: () => void) => () => void }) {
  const q = useDeferredValue(search.trim());
  const navigate = useNavigate();
  const { agent } = useMe();
  const now = useNow();
  const { data } = useQuery({
    queryKey: ['sessions', 'found', q],
    queryFn: ({ signal }) =>
      callPage('sessions.list', { queue: 'all', limit: FOUND_CHATS, ...(q ? { q } : {}) }, signal),
    placeholderData: (before) => before,
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Command.Group heading={base(q ? 'palette_found' : 'palette_latest')} className={GROUP} forceMount>
      {data.items.map((session) => (
        <Command.Item
          key={session.session_id}
          forceMount
          value={session.session_id}
          onSelect={go(
            () =>
              void navigate({
                to: '/inbox/$sessionId',
                params: { sessionId: session.session_id },
                search: { queue: 'open' },
              }),
          )}
          className="flex h-12 cursor-default items-center gap-3 rounded-lg px-3 data-[selected=true]:bg-hover"
        >
          <Face kind="visitor" name={session.visitor.name} size="small" />
          <span className="min-w-0 flex-1">
            <span className="block truncate">
              <bdi>{visitorName(session.visitor)}</bdi>
              <span className="text-soft">
                {' · '}
                <bdi>{snippetOf(session, agent.id)}</bdi>
              </span>
            </span>
          </span>
          <span className="shrink-0 text-faint text-xs max-sm:hidden">
            {stateSentence(session, now, agent.id)}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
