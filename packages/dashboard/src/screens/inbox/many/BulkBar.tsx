import { BULK_CHANGE_MAX } from '@foyer/protocol/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  AlarmClock,
  Check,
  CircleDashed,
  Flag,
  type LucideIcon,
  Merge,
  Tag,
  Trash2,
  UserRoundPlus,
  X,
  Zap,
} from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { openPalette } from '../../../commands/ask.ts';
import { type CommandId, commandOf, handlerOf, useCommandsNow } from '../../../commands/commands.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { formatNumber } from '../../../language.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Dialog.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import type { InboxItem } from '../inbox-list.ts';
import type { InboxSearch } from '../inbox-search.ts';
import { changeMany, useBulk } from './bulk-run.ts';
import { MergeConfirm } from './MergeConfirm.tsx';
import { allOf, NOTHING, type Selection, selectedIn, targetOfItems, targetOfSearch } from './selection.ts';
import { t } from './t.ts';
import { type RunBulk, ticketsIn, useBulkCommands } from './use-bulk-commands.ts';

const ACTIONS: readonly (readonly [CommandId, LucideIcon])[] = [
  ['assign', UserRoundPlus],
  ['status', CircleDashed],
  ['priority', Flag],
  ['tags', Tag],
  ['snooze', AlarmClock],
  ['macro', Zap],
  ['done', Check],
  ['merge', Merge],
  ['delete', Trash2],
];

interface BulkBarProps {
  search: InboxSearch;
  items: readonly InboxItem[];
  hasMore: boolean;
  selection: Selection;
  onSelect: (selection: Selection) => void;
}

/** Below the list, so that no row moves, while something in it is selected: what can be done with that. */
export function BulkBar({ search, items, hasMore, selection, onSelect }: BulkBarProps) {
  const client = useQueryClient();
  const isAdmin = useIsAdmin();
  const [deleting, setDeleting] = useState(false);
  const [intoId, setIntoId] = useState<number | null>(null);
  const { running } = useBulk();
  const selected = selectedIn(selection, items);
  const everyShown = selected.length === items.length;
  const target = targetOfSearch(search);
  const matching = useQuery({
    queryKey: ['inbox', 'matching', target],
    queryFn: ({ signal }) => call('bulk_changes.count', { of: target }, signal),
    enabled: everyShown && hasMore,
  }).data?.count;
  const isAll = selection.isAll && everyShown && hasMore;
  const of = isAll ? target : targetOfItems(selected);
  const count = isAll ? (matching ?? selected.length) : selected.length;
  const run: RunBulk = (change, words) => {
    void changeMany(client, of, change, words);
    // What is not loaded can’t be seen as selected once it has changed.
    if (isAll) onSelect(NOTHING);
  };
  useBulkCommands(
    { of, items: selected, count, run },
    isAdmin ? () => setDeleting(true) : undefined,
    setIntoId,
  );
  return (
    <section aria-label={t('selected')} className="order-last border-t bg-accent-ground px-3 py-2">
      <div className="flex min-h-8 items-center gap-1">
        <IconButton small label={t('clear')} onClick={() => onSelect(NOTHING)}>
          <X aria-hidden className="size-4" />
        </IconButton>
        <p role="status" className="tabular min-w-0 flex-1 truncate font-medium">
          {isAll ? t('all_selected', { number: count }) : t('selected_count', { count })}
        </p>
        {!everyShown ? (
          <Button small look="quiet" onClick={() => onSelect(allOf(items.map(({ key }) => key)))}>
            {t('select_shown')}
          </Button>
        ) : hasMore && !isAll && matching !== undefined && matching > count ? (
          <Button
            small
            look="quiet"
            disabled={matching > BULK_CHANGE_MAX}
            title={matching > BULK_CHANGE_MAX ? t('too_many', { number: BULK_CHANGE_MAX }) : undefined}
            onClick={() => onSelect({ ...selection, isAll: true })}
          >
            {t('select_all', {
              number:
                matching > BULK_CHANGE_MAX ? `${formatNumber(BULK_CHANGE_MAX)}+` : formatNumber(matching),
            })}
          </Button>
        ) : null}
      </div>
      {running ? null : <Actions />}
      {intoId === null ? null : (
        <MergeConfirm
          intoId={intoId}
          sources={ticketsIn(selected).filter(({ id }) => id !== intoId)}
          onClose={() => setIntoId(null)}
          onMerged={() => onSelect(NOTHING)}
        />
      )}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('delete_question', { count })}
        action={t('delete_do', { count })}
        busy={false}
        error={null}
        onConfirm={() => {
          setDeleting(false);
          run({ action: 'delete' }, (number) => t('deleted', { count: number }));
        }}
      >
        {t('delete_hint')}
      </Confirm>
    </section>
  );
}

function Actions() {
  useCommandsNow();
  return (
    <div className="-mx-1 mt-1 flex flex-wrap">
      {ACTIONS.map(([id, Icon]) => {
        const handler = handlerOf(id);
        const label = handler?.label;
        if (!handler || label === undefined) return null;
        return (
          <Tip key={id} text={label} {...withKeys(commandOf(id).keys)}>
            <IconButton label={label} onClick={() => (handler.choices ? openPalette(id) : handler.run?.())}>
              <Icon aria-hidden className="size-4" />
            </IconButton>
          </Tip>
        );
      })}
    </div>
  );
}

const withKeys = (keys: string | undefined) => (keys === undefined ? {} : { shortcut: keys });
