import { BULK_CHANGE_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import {
  AlarmClock,
  Check,
  CircleDashed,
  Flag,
  type LucideIcon,
  Merge,
  OctagonAlert,
  Tag,
  Trash2,
  UserRoundPlus,
  X,
  Zap,
} from 'lucide-react';
import { useState } from 'react';
import { openPalette } from '../../../commands/ask.ts';
import { type CommandId, commandOf, handlerOf, useCommandsNow } from '../../../commands/commands.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { formatNumber } from '../../../language.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import { changeMany } from './bulk-run.ts';
import { useBulk } from './bulk-state.ts';
import { MergeConfirm } from './MergeConfirm.tsx';
import { allOf, NOTHING, type Selection } from './selection.ts';
import { t } from './t.ts';
import { type RunBulk, ticketsIn, useBulkCommands } from './use-bulk-commands.ts';
import { type BulkScope, type SelectedList, useBulkScope } from './use-bulk-scope.ts';

const ACTIONS = [
  ['assign', UserRoundPlus],
  ['status', CircleDashed],
  ['priority', Flag],
  ['tags', Tag],
  ['snooze', AlarmClock],
  ['macro', Zap],
  ['done', Check],
  ['spam', OctagonAlert],
  ['merge', Merge],
  ['delete', Trash2],
] as const satisfies readonly (readonly [CommandId, LucideIcon])[];

interface BulkBarProps extends SelectedList {
  onSelect: (selection: Selection) => void;
}

/** The actions for the selection, below the list so that no row moves. */
export function BulkBar(props: BulkBarProps) {
  const { items, hasMore, selection, onSelect } = props;
  const client = useQueryClient();
  const isAdmin = useMay('delete');
  const [deleting, setDeleting] = useState(false);
  const [intoId, setIntoId] = useState<number | null>(null);
  const { running } = useBulk();
  const scope = useBulkScope(props);
  const { of, selected, count, isAll, matching } = scope;
  // A change of all of them asks first, with their exact number.
  const isCounted = !isAll || matching?.isExact === true;
  const run: RunBulk = (change, words) => {
    void changeMany(client, of, change, words);
    // Rows that aren't loaded can't be shown as selected once they have changed.
    if (isAll) onSelect(NOTHING);
  };
  // A list has either only spam or none.
  const isSpam = selected.some((item) => (item.kind === 'chat' ? item.session : item.ticket).spam !== null);
  useBulkCommands(
    { of, items: selected, count, isSpam, run },
    isAdmin && isCounted ? () => setDeleting(true) : undefined,
    setIntoId,
  );
  return (
    <section aria-label={t('selected')} className="order-last border-t bg-accent-ground px-3 py-2">
      <div className="flex min-h-8 items-center gap-1">
        <IconButton small label={t('clear')} onClick={() => onSelect(NOTHING)}>
          <X aria-hidden className="size-4" />
        </IconButton>
        <p role="status" className="tabular min-w-0 flex-1 truncate font-medium">
          {isAll
            ? t('all_selected', { number: isCounted ? count : atLeast(count) })
            : t('selected_count', { count })}
        </p>
        <SelectMore
          scope={scope}
          hasMore={hasMore}
          onShown={() => onSelect(allOf(items.map(({ key }) => key)))}
          onAll={() => onSelect({ ...selection, isAll: true })}
        />
      </div>
      {running || !isCounted ? null : <Actions isSpam={isSpam} />}
      {intoId === null ? null : (
        <MergeConfirm
          intoId={intoId}
          sources={ticketsIn(selected).filter(({ id }) => id !== intoId)}
          onClose={() => setIntoId(null)}
          onMerged={() => onSelect(NOTHING)}
        />
      )}
      <DeleteConfirm open={deleting} count={count} run={run} onClose={() => setDeleting(false)} />
    </section>
  );
}

const atLeast = (number: number): string => `${formatNumber(number)}+`;

interface SelectMoreProps {
  scope: BulkScope;
  hasMore: boolean;
  onShown: () => void;
  onAll: () => void;
}

/** First all rows of the list, then all matches, up to the maximum of a bulk change. */
function SelectMore({
  scope: { everyShown, isAll, matching, count },
  hasMore,
  onShown,
  onAll,
}: SelectMoreProps) {
  if (!everyShown)
    return (
      <Button small look="quiet" onClick={onShown}>
        {t('select_shown')}
      </Button>
    );
  if (!hasMore || isAll || matching === undefined || matching.count <= count) return null;
  const isTooMany = matching.count > BULK_CHANGE_MAX;
  const most = isTooMany ? BULK_CHANGE_MAX : matching.count;
  return (
    <Button
      small
      look="quiet"
      disabled={isTooMany}
      title={isTooMany ? t('too_many', { number: BULK_CHANGE_MAX }) : undefined}
      onClick={onAll}
    >
      {t('select_all', {
        number: isTooMany || !matching.isExact ? atLeast(most) : formatNumber(most),
      })}
    </Button>
  );
}

interface DeleteConfirmProps {
  open: boolean;
  count: number;
  run: RunBulk;
  onClose: () => void;
}

/** Closes immediately: `BulkNews` shows the progress. */
function DeleteConfirm({ open, count, run, onClose }: DeleteConfirmProps) {
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('delete_question', { count })}
      action={t('delete_do', { count })}
      busy={false}
      error={null}
      onConfirm={() => {
        onClose();
        run({ action: 'delete' }, (number) => t('deleted', { count: number }));
      }}
    >
      {t('delete_hint')}
    </Confirm>
  );
}

function Actions({ isSpam }: { isSpam: boolean }) {
  useCommandsNow();
  return (
    <div className="-mx-1 mt-1 flex flex-wrap">
      {ACTIONS.map(([id, Icon]) => {
        const handler = handlerOf(id);
        const label = handler?.label;
        if (!handler || label === undefined) return null;
        return (
          <Tip key={id} text={label} {...withKeys(commandOf(id).keys)}>
            <Button
              small
              look="quiet"
              aria-label={label}
              className="min-w-max basis-1/3 justify-start px-1.5"
              icon={<Icon aria-hidden className="size-4 shrink-0" />}
              onClick={() => (handler.choices ? openPalette(id) : handler.run?.())}
            >
              <span className="font-normal">
                {t(id === 'spam' && isSpam ? 'short_not_spam' : `short_${id}`)}
              </span>
            </Button>
          </Tip>
        );
      })}
    </div>
  );
}

const withKeys = (keys: string | undefined) => (keys === undefined ? {} : { shortcut: keys });
