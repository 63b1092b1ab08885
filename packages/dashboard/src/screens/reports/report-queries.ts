import type { InputOf, OperationName, ReportSpan } from '@foyer/protocol';
import { keepPreviousData } from '@tanstack/react-query';
import { given } from '../../address-search.ts';
import { callQuery, pagesQuery } from '../../call-queries.ts';
import { type Figure, spanOfFigure } from './report-search.ts';

/** The previous figures stay on the screen while others load. An open report keeps updating. */
const report =
  <N extends OperationName>(name: N) =>
  (span: ReportSpan & InputOf<N>) => ({
    ...callQuery(['reports', name, span], name, span),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** Chats and tickets that came in. */
export const volumeQuery = report('reports.volume');
/** Response and resolution times. */
export const responsesQuery = report('reports.responses');
/** Chats by weekday and hour. */
export const hoursQuery = report('reports.hours');
/** What the bot solved and handed off. */
export const botQuery = report('reports.bot');
/** Ratings by day. */
export const satisfactionQuery = report('reports.satisfaction');
/** The teams side by side. */
export const byTeamQuery = report('reports.teams');
/** Figures of each agent. */
export const agentsQuery = report('reports.agents');
/** Figures of each tag. */
export const tagsQuery = report('reports.tags');

/** SLA targets met and missed. */
export const slasQuery = report('reports.slas');

/** The chats and tickets behind a figure, paged. */
export const conversationsQuery = (figure: Figure, span: ReportSpan) => {
  const { show, of, part, weekday } = figure;
  const which = given({ figure: show, of, part, weekday });
  const days = spanOfFigure(figure, span);
  return pagesQuery(['reports', 'conversations', which, days], 'reports.conversations', () => ({
    ...which,
    ...days,
  }));
};

/** Comments on ratings, paged. */
export const commentsQuery = (span: ReportSpan, rating?: number) =>
  pagesQuery(['reports', 'comments', span, rating], 'reports.comments', () => ({
    ...span,
    ...(rating ? { rating } : {}),
  }));
