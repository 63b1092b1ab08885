import type { OutputOf } from '@foyer/protocol';
import type { KeyboardEvent } from 'react';
import { formatNumber } from '../../../language.ts';
import { BY_KEYBOARD } from '../../../ui/by-keyboard.ts';
import { cx } from '../../../ui/classes.ts';
import { FigureLink } from '../FigureLink.tsx';
import { t } from '../t.ts';
import { hourName, weekdayName } from './figures.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** From zero to the maximum; text stays readable on each. */
const GROUNDS = [
  '',
  'bg-[color-mix(in_oklab,var(--accent)_12%,var(--surface))]',
  'bg-[color-mix(in_oklab,var(--accent)_24%,var(--surface))]',
  'bg-[color-mix(in_oklab,var(--accent)_36%,var(--surface))]',
  'bg-[color-mix(in_oklab,var(--accent)_48%,var(--surface))]',
] as const;

/** The average number of starts in an hour of a weekday. */
interface HourMean {
  readonly weekday: number;
  readonly hour: number;
  readonly mean: number;
}

/** Averages of the hours with at least one start. */
export function hourMeans({ cells, weekdays }: OutputOf<'reports.hours'>): HourMean[] {
  const days = new Map(weekdays.map((one) => [one.weekday, one.days]));
  return cells.map(({ weekday, hour, chats, tickets }) => ({
    weekday,
    hour,
    mean: (chats + tickets) / Math.max(1, days.get(weekday) ?? 1),
  }));
}

/** With one decimal below ten, so that one a month shows as little rather than as nothing. */
export const meanWords = (mean: number): string =>
  formatNumber(mean < 10 ? Math.max(0.1, Math.round(mean * 10) / 10) : Math.round(mean));

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 } as const;

/**
 * Tab reaches the first cell, arrow keys the next one with a figure: horizontally by hours, vertically by weekdays.
 */
function walk(event: KeyboardEvent<HTMLTableElement>): void {
  const { key, currentTarget } = event;
  const focused = document.activeElement?.closest('td');
  if (!focused || !(key in STEPS)) return;
  event.preventDefault();
  const cells = [...currentTarget.querySelectorAll('td')];
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown';
  const lane = cells.filter(
    (cell) =>
      cell.firstElementChild &&
      (isVertical ? cell.cellIndex === focused.cellIndex : cell.parentElement === focused.parentElement),
  );
  const next = lane[lane.indexOf(focused) + STEPS[key as keyof typeof STEPS]];
  next?.querySelector('a')?.focus();
}

interface CellProps extends HourMean {
  /** The highest average. */
  most: number;
  /** The tab stop. */
  isEntry: boolean;
}

function Cell({ weekday, hour, mean, most, isEntry }: CellProps) {
  const shade = mean === 0 ? 0 : Math.ceil((mean / most) * (GROUNDS.length - 1));
  const label = `${weekdayName(weekday, 'long')}, ${hourName(hour)}: ${mean === 0 ? '0' : meanWords(mean)}`;
  return (
    <td
      title={label}
      className={cx(
        'h-8 rounded-sm p-0 text-center text-text forced-color-adjust-none',
        shade === 0 ? 'bg-sunken text-faint' : GROUNDS[shade],
      )}
    >
      {mean === 0 ? null : (
        <FigureLink
          figure={{ show: 'arrivals', weekday, part: hour }}
          label={label}
          tabIndex={isEntry ? 0 : -1}
          className="block rounded-sm py-1.5 hover:underline"
        >
          {meanWords(mean)}
        </FigureLink>
      )}
    </td>
  );
}

/** The week as a table whose cells are darker the more starts they have. */
export function HeatMap({ means, caption }: { means: readonly HourMean[]; caption: string }) {
  const most = Math.max(...means.map(({ mean }) => mean), 0);
  const byPlace = new Map(means.map((one) => [one.weekday * 24 + one.hour, one.mean]));
  const [entry] = byPlace.keys();
  return (
    <section aria-label={caption} {...BY_KEYBOARD} className="overflow-x-auto">
      <table
        onKeyDown={walk}
        className="tabular w-full min-w-[52rem] table-fixed border-separate border-spacing-0.5 text-xs"
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="w-10 text-start font-normal text-faint">
              <span className="sr-only">{t('hours_weekday')}</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col" aria-label={hourName(hour)} className="font-normal text-faint">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[1, 2, 3, 4, 5, 6, 7].map((weekday) => (
            <tr key={weekday}>
              <th
                scope="row"
                aria-label={weekdayName(weekday, 'long')}
                className="text-start font-normal text-soft"
              >
                {weekdayName(weekday, 'short')}
              </th>
              {HOURS.map((hour) => {
                const place = weekday * 24 + hour;
                const mean = byPlace.get(place) ?? 0;
                return <Cell key={hour} {...{ weekday, hour, mean, most }} isEntry={place === entry} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
