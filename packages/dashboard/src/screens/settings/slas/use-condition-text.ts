import type { SlaConditions } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { given } from '../../../address-search.ts';
import { teamsQuery } from '../../../queries.ts';
import { phraseOf } from '../../inbox/filters/filter-words.ts';
import type { FilterName, InboxFilters } from '../../inbox/list/inbox-search.ts';
import { segmentsQuery } from '../../visitors/visitor-queries.ts';
import { t } from './t.ts';

const nameIn =
  (items: readonly { id: number; name: string }[] = []) =>
  (id: number): string | undefined =>
    items.find((one) => one.id === id)?.name;

/** Says what a policy applies to, in the words of the inbox's filters. */
export function useConditionText(): (conditions: SlaConditions) => string {
  const names = {
    agent: () => undefined,
    segment: nameIn(useQuery(segmentsQuery).data?.items),
    team: nameIn(useQuery(teamsQuery).data?.items),
  };
  return ({ priority, team_id, tag, segment }) => {
    const search = given<InboxFilters>({ priority, team: team_id, tag, segment });
    const phrases = Object.keys(search).map((name) => phraseOf(search, name as FilterName, names));
    return phrases.length === 0 ? t('everything') : phrases.join(', ');
  };
}
