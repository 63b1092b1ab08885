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
  /** If several links lead to the same list, only one is a tab stop. */
  tabIndex?: number;
  /** Read aloud if the figure alone isn't clear. */
  label?: string;
}

/** A figure that links to the conversations behind it. */
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

/** Part of a sentence that links to this many conversations, if there are any. */
export const figureLink = (count: number, words: string, figure: Figure): ReactNode =>
  count === 0 ? (
    words
  ) : (
    <FigureLink key={figure.show} figure={figure} className="text-accent-text underline">
      {words}
    </FigureLink>
  );

/** A figure of a table that links to its conversations, if there are any. */
export const countLink = (count: number, figure: Figure, words = formatNumber(count)): ReactNode =>
  count === 0 ? (
    words
  ) : (
    <FigureLink key={figure.show} figure={figure}>
      {words}
    </FigureLink>
  );

/** Opens the list of a figure's conversations. */
export function useOpenFigure(): (figure: Figure) => void {
  const navigate = useNavigate({ from: '/reports' });
  return (figure) => void navigate({ search: showing(figure), resetScroll: false });
}
