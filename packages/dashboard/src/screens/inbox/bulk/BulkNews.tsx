import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { tCommon } from '../../../t-common.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { resumeBulk } from './bulk-run.ts';
import { forgetFailures, useBulk } from './bulk-state.ts';
import { t } from './t.ts';

const REASONS_SHOWN = 3;

/** The progress and failures of a bulk change, below the list so that no row moves. */
export function BulkNews() {
  const { running } = useBulk();
  const client = useQueryClient();
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) void resumeBulk(client);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [client]);
  return running ? <Progress done={running.done} total={running.total} /> : <Failures />;
}

/** The failures of the last bulk change, counted by reason; the rows show them individually. */
function Failures() {
  const { failures } = useBulk();
  if (failures.size === 0) return null;
  const byReason = new Map<string, number>();
  for (const reason of failures.values()) byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
  const reasons = [...byReason].toSorted(([, a], [, b]) => b - a);
  return (
    <div
      role="alert"
      className="order-last flex items-start gap-2 border-t bg-danger-ground px-4 py-2 text-danger-text"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t('not_changed', { count: failures.size })}</p>
        <ul>
          {reasons.slice(0, REASONS_SHOWN).map(([reason, count]) => (
            <li key={reason} className="wrap-anywhere">
              {t('reason', { reason, count })}
            </li>
          ))}
        </ul>
      </div>
      <IconButton small label={tCommon('dismiss')} onClick={forgetFailures}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div className="late order-last flex h-9 items-center gap-3 border-t px-4">
      <progress
        aria-label={t('progress')}
        value={done}
        max={Math.max(total, 1)}
        className="h-1.5 min-w-0 flex-1 accent-accent"
      />
      <span className="tabular shrink-0 text-soft text-xs">{t('progress_of', { done, total })}</span>
    </div>
  );
}
