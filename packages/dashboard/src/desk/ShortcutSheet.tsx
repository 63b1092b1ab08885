import { base } from '../base.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Keys } from '../ui/Tip.tsx';
import { SHORTCUTS } from './shortcuts.ts';

/** Where it is longer than the screen, the arrows scroll it. */
const BY_KEYBOARD = { tabIndex: 0 };

/** All shortcuts on one sheet. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog wide open={open} onClose={onClose} title={base('shortcuts')}>
      <div {...BY_KEYBOARD} className="gap-8 rounded-lg md:columns-2">
        {SHORTCUTS.map((group) => (
          <section key={base(group.title)} className="mt-4 break-inside-avoid-column first:mt-0">
            <h3 className="mb-1 font-medium text-soft">{base(group.title)}</h3>
            <dl className="divide-y">
              {group.list.map((one) => (
                <div key={one.keys} className="flex h-9 items-center justify-between gap-4">
                  <dt>{base(one.does)}</dt>
                  <dd>
                    <Keys keys={one.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
