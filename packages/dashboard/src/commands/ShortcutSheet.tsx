import { BY_KEYBOARD } from '../ui/by-keyboard.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { Keys } from '../ui/Tip.tsx';
import { COMMAND_IDS, type CommandGroup, commandOf } from './commands.ts';
import { t } from './t.ts';

const GROUPS: readonly CommandGroup[] = ['everywhere', 'go', 'list', 'conversation', 'writing'];

/** All commands that have a key, on one sheet. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog wide="whole" open={open} onClose={onClose} title={t('shortcuts')}>
      <div {...BY_KEYBOARD} className="gap-8 rounded-lg md:columns-2 xl:columns-4">
        {GROUPS.map((group) => (
          <section key={group} className="mt-4 break-inside-avoid-column first:mt-0">
            <h3 className="mb-1 font-medium text-soft">{t(`group_${group}`)}</h3>
            <dl className="divide-y">
              {COMMAND_IDS.map((id) => {
                const { group: own, keys } = commandOf(id);
                if (own !== group || keys === undefined) return null;
                return (
                  <div key={id} className="flex min-h-7 items-center justify-between gap-4 py-0.5">
                    <dt>{t(`do_${id}`)}</dt>
                    <dd className="shrink-0">
                      <Keys keys={keys} />
                    </dd>
                  </div>
                );
              })}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
