import type { ReportHead } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { ChartColumn, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useMe } from '../../desk/DeskContext.tsx';
import { buttonLook, IconButton } from '../../ui/Button.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { dayShort } from './charts/figures.ts';
import { t } from './t.ts';

interface ReportBodyProps<T> {
  /** The used part of what `useQuery` returns. */
  asked: {
    data: T | undefined;
    error: Error | null;
    dataUpdatedAt: number;
    refetch: () => Promise<unknown>;
  };
  /** Shown if nothing was counted; undefined if something was. */
  empty: (data: T) => { title: string; hint: ReactNode } | undefined;
  children: (data: T) => ReactNode;
}

/** A report in each of its states: loading, failed, empty, and with charts. */
export function ReportBody<T extends ReportHead>({ asked, empty, children }: ReportBodyProps<T>) {
  const { data, error, refetch } = asked;
  if (!data) return <Waiting error={error} retry={refetch} failed={t('failed')} height="h-72" />;
  // If nothing was ever counted, other periods would be empty too.
  if (data.counted_utc === null && !data.catching_up)
    return (
      <Empty
        icon={<ChartColumn />}
        title={t('nothing_ever')}
        action={
          <Link to="/settings/install" className={buttonLook()}>
            {t('install')}
          </Link>
        }
      >
        {t('nothing_ever_hint')}
      </Empty>
    );
  const nothing = empty(data);
  return (
    <>
      <Standing head={data} asked={asked} />
      {nothing ? (
        <Empty icon={<ChartColumn />} title={nothing.title}>
          {nothing.hint}
        </Empty>
      ) : (
        <div className="space-y-4">{children(data)}</div>
      )}
    </>
  );
}

/** The period, its time zone, and how current the data is. */
function Standing({ head, asked }: { head: ReportHead; asked: ReportBodyProps<ReportHead>['asked'] }) {
  const { period, time_zone, catching_up } = head;
  const { site } = useMe();
  const mayChange = useMay('site');
  const zone = time_zone.replaceAll('_', ' ');
  return (
    <div className="mb-4 text-soft text-xs">
      <p>
        <span className="tabular">
          {period.from === period.to
            ? dayShort(period.from)
            : t('period', { from: dayShort(period.from), to: dayShort(period.to) })}
        </span>
        {' · '}
        {asked.dataUpdatedAt > 0
          ? t.rich('counted', {
              zone,
              ago: <Ago key="ago" utc={new Date(asked.dataUpdatedAt).toISOString()} words />,
            })
          : t('counted_not', { zone })}
        <Refresh refetch={asked.refetch} />
        {site.office_hours === null && mayChange ? (
          <>
            {' · '}
            <Link to="/settings/hours" className="text-accent-text underline">
              {t('zone_set')}
            </Link>
          </>
        ) : null}
      </p>
      {catching_up ? (
        <p role="status" className="mt-2 rounded-md bg-warn-ground px-3 py-2 text-warn-text">
          {t('catching_up')}
        </p>
      ) : null}
    </div>
  );
}

/** Reloads immediately. Reports also reload automatically every half minute. */
function Refresh({ refetch }: { refetch: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const refresh = async (): Promise<void> => {
    setBusy(true);
    await refetch();
    setBusy(false);
  };
  return (
    <IconButton
      small
      label={t('refresh')}
      busy={busy}
      className="-my-1 ms-1 align-middle"
      onClick={() => void refresh()}
    >
      <RefreshCw aria-hidden className="size-3.5" />
    </IconButton>
  );
}
