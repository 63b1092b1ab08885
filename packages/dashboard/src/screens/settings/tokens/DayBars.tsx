import { DAY_MS } from '@foyer/protocol/values/durations';
import { dayOf } from '../../../times.ts';
import { t } from './t.ts';

interface DayBarsProps {
  /** Newest first, possibly without days that had no requests. */
  days: { day: string; requests: number }[];
  /** The token's name. */
  name: string;
}

const DAYS = 30;
const TALLEST_PX = 24;

/** Requests per day over the last 30 days, as small bars with figures on hover. */
export function DayBars({ days, name }: DayBarsProps) {
  const byDay = new Map(days.map((one) => [one.day.slice(0, 10), one.requests]));
  const today = Date.now();
  const bars = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(today - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, requests: byDay.get(day) ?? 0 };
  });
  const most = Math.max(1, ...bars.map((bar) => bar.requests));
  const total = bars.reduce((sum, bar) => sum + bar.requests, 0);
  return (
    <div
      role="img"
      aria-label={t('requests_of', { name, count: total })}
      className="flex h-6 items-end gap-px forced-color-adjust-none"
    >
      {bars.map((bar) => (
        <span
          key={bar.day}
          title={t('requests_on', { day: dayOf(bar.day), count: bar.requests })}
          className={bar.requests ? 'w-1 rounded-xs bg-accent' : 'w-1 rounded-xs bg-line-strong'}
          style={{ height: `${Math.max(2, Math.round((bar.requests / most) * TALLEST_PX))}px` }}
        />
      ))}
    </div>
  );
}
