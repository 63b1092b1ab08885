import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../../language.ts';
import { type Figure, type ReportSearch, withoutFigure } from './report-search.ts';

const showing =
  (figure: Figure) =>
  (search: ReportSearch): ReportSearch => ({ ...withoutFigure(search), ...figure });

interface FigureLinkProps {
  figure: Figure;
  children: ReactNode;
  className?: string;
  /** Of several links to the same, keys reach one. */
  tabIndex?: number;
  /** What is read where the figure alone says too little. */
  label?: string;
}

/** A figure that leads to the conversations it counts. */
export function FigureLink({
  figure,
  children,
  className = 'text-accent-text hover:underline',
  tabIndex = 0,
  label,
}: FigureLinkProps) {
  return (
    <Link
      to="/reports"
      search={showing(figure)}
      resetScroll={false}
      tabIndex={tabIndex}
      aria-label={label}
      className={className}
    >
      {children}
    </Link>
  );
}

/** Words of a sentence about so many conversations, as a link to them if there are any. */
export const figureLink = (count: number, words: string, figure: Figure): ReactNode =>
  count === 0 ? (
    words
  ) : (
    <FigureLink key={figure.show} figure={figure} className="text-accent-text underline">
      {words}
    </FigureLink>
  );

/** A figure of a table about so many conversations, as a link to them if there are any. */
export const countLink = (count: number, figure: Figure, words = formatNumber(count)): ReactNode =>
  count === 0 ? (
    words
  ) : (
    <FigureLink key={figure.show} figure={figure}>
      {words}
    </FigureLink>
  );

/** Lists the conversations of a figure. */
export function useOpenFigure(): (figure: Figure) => void {
  const navigate = useNavigate({ from: '/reports' });
  return (figure) => void navigate({ search: showing(figure), resetScroll: false });
}
