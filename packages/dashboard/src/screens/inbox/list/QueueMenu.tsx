import { Popover } from '@base-ui/react/popover';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '../filters/t.ts';
import { QueueNav } from './QueueNav.tsx';

/** If the main column has no room for the queues, the list's heading opens them. */
export function QueueMenu({ title }: { title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={t('choose_queue', { title })}
        className="-ms-2 flex h-9 max-w-[calc(100%+8px)] items-center gap-1 rounded-lg px-2 hover:bg-hover max-md:h-11"
      >
        <span className="truncate">
          <bdi>{title}</bdi>
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-soft" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={t('queues_and_views')}
            className="appear scroll-y max-h-[70dvh] w-64 rounded-lg bg-raised p-1 shadow-float outline-none"
          >
            <QueueNav onGo={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
