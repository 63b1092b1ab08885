import type { ReactNode } from 'react';
import { countLink, FigureLink } from '../FigureLink.tsx';
import type { Figure } from '../report-search.ts';
import { t } from '../t.ts';
import { percentOf } from './figures.ts';

export interface Share {
  readonly name: string;
  readonly count: number;
  /** The figure behind the number. */
  readonly figure: Figure;
  /** The name, if it is another link. */
  readonly link?: ReactNode;
}

/** Parts of a whole as bars with name, number and share. */
export function ShareBars({ label, shares }: { label: string; shares: readonly Share[] }) {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul aria-label={label} className="space-y-2">
      {shares.map(({ name, count, figure, link }) => (
        <li key={name} className="grid grid-cols-[1fr_auto] gap-x-3">
          <span className="wrap-anywhere">
            {link ?? <ShareName name={name} count={count} figure={figure} />}
          </span>
          <span className="tabular text-end">
            {countLink(count, figure)}
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

function ShareName({ name, count, figure }: Share) {
  if (count === 0) return <bdi>{name}</bdi>;
  return (
    <FigureLink figure={figure} tabIndex={-1} className="hover:underline">
      <bdi>{name}</bdi>
    </FigureLink>
  );
}
