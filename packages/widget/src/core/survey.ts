import type { VisitorSession, WidgetSite } from '@foyer/protocol';

/** Whether the visitor of a closed chat is asked for a rating. A given rating stays on the screen. */
export const asksForRating = (
  site: Pick<WidgetSite, 'survey'> | null,
  { rating, rating_requested, agent }: Pick<VisitorSession, 'rating' | 'rating_requested' | 'agent'>,
): boolean => {
  const ask = site?.survey.ask ?? 'never';
  return (
    rating !== null || rating_requested || ask === 'always' || ask === (agent ? 'after_team' : 'after_bot')
  );
};
