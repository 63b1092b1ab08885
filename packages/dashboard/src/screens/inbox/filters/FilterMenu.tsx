import { Popover } from '@base-ui/react/popover';
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { COMMANDS, useCommands } from '../../../commands/commands.ts';
import { filterCount, filtersIn, type InboxSearch } from '../list/inbox-search.ts';
import { FilterFields } from './FilterFields.tsx';
import { t } from './t.ts';

/** The style of the controls beside the search. */
export const HEAD_CONTROL =
  'inline-flex h-9 shrink-0 items-center justify-center gap-1 rounded-lg border border-line-strong bg-field px-2.5 text-soft hover:text-text max-md:h-11';

/** Filters the list; the choices are in the address. */
export function FilterMenu({ search }: { search: InboxSearch }) {
  const [open, setOpen] = useState(false);
  const active = filterCount(search);
  const isUseful = filtersIn(search).length > 0;
  useCommands({ filter: isUseful ? () => setOpen(true) : undefined });
  if (!isUseful) return null;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={active > 0 ? t('filters_set', { count: active }) : t('filters')}
        aria-keyshortcuts={COMMANDS.filter.keys}
        title={t('filters')}
        className={HEAD_CONTROL}
      >
        <ListFilter aria-hidden className="size-4" />
        {active > 0 ? <span className="tabular font-semibold text-accent-text text-xs">{active}</span> : null}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={t('filters')}
            className="appear scroll-y max-h-(--available-height) w-104 max-w-(--available-width) rounded-lg bg-raised p-4 shadow-float outline-none"
          >
            <FilterFields search={search} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
