import { Dialog } from '../ui/Dialog.tsx';
import { Keys } from '../ui/Tip.tsx';
import { SHORTCUTS } from './shortcuts.ts';

/** All shortcuts on one sheet. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Shortcuts">
      {SHORTCUTS.map((group) => (
        <section key={group.title} className="mt-4 first:mt-0">
          <h3 className="mb-1 font-medium text-soft">{group.title}</h3>
          <dl className="divide-y">
            {group.list.map((one) => (
              <div key={one.keys} className="flex h-9 items-center justify-between gap-4">
                <dt>{one.does}</dt>
                <dd>
                  <Keys keys={one.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
