import type { InboxView } from '@foyer/protocol';
import { useNavigate } from '@tanstack/react-router';
import { SquarePen } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { COMMANDS, handlerOf, useCommands } from '../../../commands/commands.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { t } from '../t.ts';
import { queueLabel } from './inbox-queues.ts';
import { filterCount, type InboxSearch, isSearching, queueOf, readInboxSearch } from './inbox-search.ts';

/** What opens over the list is loaded after it. */
const QueueMenu = lazyPart(() => import('./QueueMenu.tsx'), 'QueueMenu');
const Controls = lazyPart(() => import('../filters/Controls.tsx'), 'Controls');
const Chips = lazyPart(() => import('../filters/Chips.tsx'), 'Chips');
const Bell = lazyPart(() => import('../../notifications/Bell.tsx'), 'Bell');
const ViewActions = lazyPart(() => import('../views/ViewActions.tsx'), 'ViewActions');
const ViewNote = lazyPart(() => import('../views/ViewNote.tsx'), 'ViewNote');

/** The list's title and filters. */
export function InboxHead({ search, view }: { search: InboxSearch; view: InboxView | undefined }) {
  const title = titleOf(search, view?.name);
  return (
    <div className="border-b px-4 pt-3 pb-3">
      <div className="mb-2 flex h-9 items-center gap-2">
        <h1 className="flex min-w-0 flex-1 font-semibold text-lg leading-7">
          <span className="sr-only">{t('inbox_of')} </span>
          <span className="truncate max-xl:hidden">
            <bdi>{title}</bdi>
          </span>
          <span className="min-w-0 xl:hidden">
            <Suspense fallback={title}>
              <QueueMenu title={title} />
            </Suspense>
          </span>
        </h1>
        <Suspense>
          {/* With a key per view, a dialog of one view doesn't stay open for the next. */}
          <ViewActions key={view?.id} search={search} view={view} />
        </Suspense>
        {useMay('answer') ? (
          <IconButton
            label={t('new_ticket')}
            shortcut={COMMANDS.new_ticket.keys}
            className="-me-2"
            onClick={() => handlerOf('new_ticket')?.run?.()}
          >
            <SquarePen aria-hidden className="size-4" />
          </IconButton>
        ) : null}
        <span className="md:hidden">
          <Suspense>
            <Bell />
          </Suspense>
        </span>
      </div>
      <Narrowing search={search} />
      {view ? (
        <Suspense>
          <ViewNote search={search} view={view} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The search, filters and order. */
function Narrowing({ search }: { search: InboxSearch }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useCommands({ search: () => field.current?.focus() });
  return (
    <>
      <div className="flex gap-2">
        <SearchField
          ref={field}
          label={t('search_all')}
          shortcut="/"
          value={search.q ?? ''}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: readInboxSearch({ ...search, q: next }),
              replace: true,
            })
          }
        />
        <Suspense fallback={<span className="w-20" />}>
          <Controls search={search} />
        </Suspense>
      </div>
      {filterCount(search) > 0 ? (
        <Suspense>
          <Chips search={search} />
        </Suspense>
      ) : null}
    </>
  );
}

function titleOf(search: InboxSearch, view: string | undefined): string {
  if (view !== undefined || search.view !== undefined) return view ?? t('view');
  if (isSearching(search)) return t('search');
  const queue = queueOf(search);
  return queue ? queueLabel(queue) : t('everything');
}
