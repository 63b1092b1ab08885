import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { takeTyped } from '../../commands/typed-ahead.ts';
import { cx } from '../classes.ts';
import { DialogPopup, FINDER_BOX } from './Dialog.tsx';

interface PickDialogProps {
  label: string;
  placeholder: string;
  search: string;
  /** Computes the next text from the current one: text that was typed before the dialog was open comes first. */
  onSearch: (change: (written: string) => string) => void;
  onClose: () => void;
  maxLength?: number;
  wide?: boolean;
  /** As `Command` takes them. */
  command?: { shouldFilter?: boolean; value?: string; onValueChange?: (value: string) => void };
  children: ReactNode;
}

/** Something found by its words and picked, for where one writes. */
export function PickDialog(props: PickDialogProps) {
  const { label, placeholder, search, onSearch, onClose, maxLength, wide = false, command, children } = props;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <DialogPopup aria-label={label} className={cx(FINDER_BOX, wide ? 'max-w-2xl' : 'max-w-xl')}>
          <Command label={label} loop {...command}>
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-soft" />
              <Command.Input
                autoFocus
                maxLength={maxLength}
                value={search}
                onValueChange={(written) => onSearch(() => written)}
                onFocus={() => onSearch((written) => written + takeTyped())}
                placeholder={placeholder}
                className="h-12 w-full min-w-0 bg-transparent text-base outline-none"
              />
            </div>
            {children}
          </Command>
        </DialogPopup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
