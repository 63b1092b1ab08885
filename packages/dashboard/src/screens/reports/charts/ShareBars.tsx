import type { ReactNode } from 'react';
import { formatNumber } from '../../../language.ts';
import { t } from '../t.ts';
import { percentOf } from './figures.ts';

export interface Share {
  readonly name: string;
  readonly count: number;
  /** The name as a link to what is counted. */
  readonly link?: ReactNode;
}

/** Parts of a whole as bars, each with its name, its number and its share. */
export function ShareBars({ label, shares }: { label: string; shares: readonly Share[] }) {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul aria-label={label} className="space-y-2">
      {shares.map(({ name, count, link }) => (
        <li key={name} className="grid grid-cols-[1fr_auto] gap-x-3">
          <span className="wrap-anywhere">{link ?? <bdi>{name}</bdi>}</span>
          <span className="tabular text-end">
            {formatNumber(count)}
            <span className="ms-2 inline-block w-12 whitespace-nowrap text-soft">
              {t('percent', { percent: percentOf(count, all) })}
            </span>
          </span>
          <span aria-hidden className="col-span-2 mt-1 h-2 forced-color-adjust-none rounded-full bg-pressed">
            <span
              className="block h-2 rounded-full bg-accent"
              style={{ width: `${percentOf(count, all)}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
