import type { Rule } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { formatList } from '../../../language.ts';
import { activeTeams, agentsQuery, tagsQuery, teamsQuery } from '../../../queries.ts';
import { nameWithin } from '../../../words.ts';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { fieldsQuery, segmentsQuery } from '../../visitors/visitor-queries.ts';
import { webhooksQuery } from '../webhooks/webhook-queries.ts';
import { type MissingRecord, missingIn } from './missing-records.ts';
import { type RuleNames, ruleSentence } from './rule-sentence.ts';
import { t } from './t.ts';

interface Item {
  id: number;
  name: string;
}

/** Stands for a name that is still loading. */
const LOADING = '…';

const namesIn = (items: readonly Item[] | undefined) => (id: number) =>
  items ? items.find((one) => one.id === id)?.name : LOADING;
const idsOf = (items: readonly Item[] | undefined): number[] | undefined => items?.map(({ id }) => id);

const missingWord = (missing: MissingRecord): string =>
  'name' in missing
    ? t(`missing_${missing.kind}`, { name: nameWithin(missing.name) })
    : t(`missing_${missing.kind}`);

type Said = Pick<Rule, 'trigger' | 'conditions' | 'actions'>;

/** The words for rules: their sentences, and what they refer to that is gone. */
export function useRuleWords(): {
  names: RuleNames;
  sentence: (rule: Said) => string;
  /** Undefined if nothing is missing. */
  missing: (rule: Said) => string | undefined;
} {
  const agents = useQuery(agentsQuery).data?.agents;
  const teams = useQuery(teamsQuery).data;
  const segments = useQuery(segmentsQuery).data?.items;
  const tags = useQuery(tagsQuery).data?.items;
  const attributes = useQuery(fieldsQuery).data?.attributes;
  const custom = useQuery(customFieldsQuery).data?.items;
  // Some may change rules but not see webhooks; for them, none is missing.
  const webhooks = useQuery(webhooksQuery).data?.items;
  const fields = custom && [...fieldsOf(custom, 'chats'), ...fieldsOf(custom, 'tickets')];
  const names = {
    agent: namesIn(agents),
    team: namesIn(teams?.items),
    segment: namesIn(segments),
    field: (key: string) => custom?.find((one) => one.key === key)?.name,
    webhook: (id: number) => {
      const webhook = webhooks?.find((one) => one.id === id);
      return webhook && (webhook.description || webhook.url);
    },
  };
  const known = {
    agents: idsOf(agents),
    teams: teams && idsOf(activeTeams(teams)),
    segments: idsOf(segments),
    webhooks: webhooks?.map(({ id }) => id),
    fields: fields?.map(({ key }) => key),
    tags: tags?.map(({ name }) => name),
    attributes: attributes?.map(({ name }) => name),
  };
  return {
    names,
    sentence: (rule) => ruleSentence(rule, names),
    missing: (rule) => {
      const gone = missingIn(rule, known);
      return gone.length === 0 ? undefined : t('missing', { records: formatList(gone.map(missingWord)) });
    },
  };
}
