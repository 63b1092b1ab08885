import type { WebhookHour } from '@foyer/protocol';
import { HOUR_MS } from '@foyer/protocol/values/durations';
import { useQuery } from '@tanstack/react-query';
import { locale } from '../../../language.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { t } from './t.ts';
import { webhookHoursQuery } from './webhook-queries.ts';

const DAYS = 7;
const HOURS = DAYS * 24;
const TALLEST_PX = 64;

interface Bar {
  at: number;
  succeeded: number;
  failed: number;
  ms: number;
}

function barsOf(hours: readonly WebhookHour[], now: number): Bar[] {
  const byHour = new Map(hours.map((item) => [Date.parse(item.hour_utc), item]));
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) => {
    const at = last - (HOURS - 1 - index) * HOUR_MS;
    const item = byHour.get(at);
    return {
      at,
      succeeded: item?.succeeded ?? 0,
      failed: item?.failed ?? 0,
      ms: item?.mean_duration_ms ?? 0,
    };
  });
}

const inDay = { weekday: 'short', day: 'numeric' } as const;
const inHour = { ...inDay, hour: 'numeric', minute: '2-digit' } as const;

/** `hours` formats the time: one formatter for all bars, because it is expensive to create. */
const titleOf = ({ at, succeeded, failed, ms }: Bar, hours: Intl.DateTimeFormat): string => {
  const hour = hours.format(at);
  return succeeded + failed === 0
    ? t('hour_nothing', { hour })
    : t('hour', { hour, worked: succeeded, failed, ms });
};

/** Any part of an hour above zero is visible, however small. */
const height = (part: number, most: number): number =>
  part === 0 ? 0 : Math.max(2, Math.round((part / most) * TALLEST_PX));

/** Attempts per hour over the last seven days: successful ones, with failed ones on top. */
export function WebhookHourChart({ subscriptionId }: { subscriptionId: number }) {
  const { data, error, refetch } = useQuery(webhookHoursQuery(subscriptionId, DAYS));
  if (!data) return <Waiting error={error} retry={refetch} failed={t('chart_failed')} height="h-24" />;
  const bars = barsOf(data.hours, Date.now());
  const most = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed));
  const sum = (part: 'succeeded' | 'failed'): number => bars.reduce((total, bar) => total + bar[part], 0);
  const [worked, failed] = [sum('succeeded'), sum('failed')];
  const share = worked + failed === 0 ? null : Math.floor((worked / (worked + failed)) * 1000) / 10;
  const hours = new Intl.DateTimeFormat(locale(), inHour);
  const days = new Intl.DateTimeFormat(locale(), inDay);
  return (
    <figure>
      <figcaption className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">
          {share === null ? t('share_nothing') : t('share', { share, count: worked + failed })}
        </span>
        <span className="tabular flex gap-4 text-soft text-xs">
          <span className="flex items-center gap-1.5">
            <i aria-hidden className="size-2 rounded-xs bg-accent forced-color-adjust-none" />
            {t('worked', { number: worked })}
          </span>
          <span className="flex items-center gap-1.5">
            <i aria-hidden className="size-2 rounded-xs bg-danger forced-color-adjust-none" />
            {t('failed', { number: failed })}
          </span>
        </span>
      </figcaption>
      <div
        role="img"
        aria-label={t('chart', { worked, failed })}
        className="flex h-16 items-end border-b forced-color-adjust-none"
      >
        {bars.map((bar) => (
          <span
            key={bar.at}
            title={titleOf(bar, hours)}
            className="flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-hover"
          >
            <span className="bg-danger" style={{ height: height(bar.failed, most) }} />
            <span className="bg-accent" style={{ height: height(bar.succeeded, most) }} />
          </span>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-faint text-xs">
        {bars
          .filter((_, index) => index % 24 === 0)
          .map(({ at }, index) => (
            <span key={at} className={index % 2 ? 'max-sm:hidden' : ''}>
              {days.format(at)}
            </span>
          ))}
        <span>{t('chart_now')}</span>
      </div>
    </figure>
  );
}
