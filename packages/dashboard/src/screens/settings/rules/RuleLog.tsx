import type { RuleOutcome, RuleRun } from '@foyer/protocol';
import { RULE_OUTCOMES } from '@foyer/protocol/values/rules/rule-triggers';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { oneOf } from '../../../address-search.ts';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { PagedList } from '../../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { ruleSentence as conditionClause } from '../../visitors/segments/rule-words.ts';
import { runFailure } from './failure-words.ts';
import { RecordLink } from './RecordLink.tsx';
import { type RunFilter, runsQuery } from './rule-queries.ts';
import { eventClause } from './rule-sentence.ts';
import { t } from './t.ts';
import { useRuleWords } from './use-rule-words.ts';

const TONES: Record<RuleOutcome, 'good' | 'warn' | 'danger'> = {
  done: 'good',
  stopped: 'warn',
  failed: 'danger',
};

interface RuleLogProps {
  filter: RunFilter;
  onOutcome: (outcome: RuleOutcome | undefined) => void;
}

/** What one rule or all of them did in the last 30 days, newest first. */
export function RuleLog({ filter, onOutcome }: RuleLogProps) {
  const list = useInfiniteQuery(runsQuery(filter));
  const runs = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <div className="mb-3">
        <SelectField
          bare
          label={t('outcome')}
          frame="max-w-52"
          value={filter.outcome ?? ''}
          onChange={({ target }) => onOutcome(oneOf(target.value, RULE_OUTCOMES))}
          any={t('outcome_any')}
          options={RULE_OUTCOMES.map((value) => ({ value, label: t(`outcome_${value}`) }))}
        />
      </div>
      <PagedList
        list={list}
        count={runs.length}
        label={t('log')}
        failed={t('log_failed')}
        bones={{ rows: 4, face: false }}
        empty={
          <Empty icon={<ScrollText />} title={t(filter.outcome ? 'log_none_such' : 'log_none')}>
            {t('log_none_hint')}
          </Empty>
        }
      >
        {runs.map((run) => (
          <Run key={run.id} run={run} isOfOne={filter.rule !== undefined} />
        ))}
      </PagedList>
    </>
  );
}

interface RunProps {
  run: RuleRun;
  /** The list is of one rule, so its name goes without saying. */
  isOfOne: boolean;
}

function Run({ run, isOfOne }: RunProps) {
  const { rule, outcome, created_utc: utc } = run;
  return (
    <li className="px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <RecordLink {...run} />
          <p className="wrap-anywhere text-soft">
            {isOfOne ? null : (
              <>
                <Link
                  to="/settings/rules/$id"
                  params={{ id: String(rule.id) }}
                  className="inline-block py-0.5 hover:underline"
                >
                  <bdi>{rule.name}</bdi>
                </Link>{' '}
                ·{' '}
              </>
            )}
            <Why run={run} />
          </p>
        </div>
        <Badge tone={TONES[outcome]}>{t(`outcome_${outcome}`)}</Badge>
        <span className="shrink-0 text-faint text-xs">
          <Ago utc={utc} />
        </span>
      </div>
    </li>
  );
}

/** Why a rule ran, its result, and how many rules led to it. */
function Why({ run }: { run: RuleRun }) {
  const { event, because, chain } = run;
  const failure = runFailure(run);
  const { names } = useRuleWords();
  const trigger = eventClause(event);
  return (
    <>
      {because.length === 0
        ? t('why_always', { trigger })
        : t('why', { trigger, conditions: conditionClause({ all: because }, names) })}{' '}
      {chain.length > 0 ? t('why_chain', { count: chain.length }) : null}
      {failure === null ? null : <span className="block text-danger-text">{failure}</span>}
    </>
  );
}
