import type { RuleAction, RuleSubject, RuleTrigger, RuleTrial as Trial } from '@foyer/protocol';
import { RULE_TRIED_MAX } from '@foyer/protocol/values/bounds';
import { worksInChat } from '@foyer/protocol/values/macro-actions';
import { isRuleOnly, subjectsOf } from '@foyer/protocol/values/rules/rule-triggers';
import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Section } from '../../../ui/Page.tsx';
import { ruleSentence as conditionClause } from '../../visitors/segments/rule-words.ts';
import { RecordLink } from './RecordLink.tsx';
import { trialQuery } from './rule-queries.ts';
import { actionsClause } from './rule-sentence.ts';
import type { RuleParts } from './rule-values.ts';
import { t } from './t.ts';
import { useRuleWords } from './use-rule-words.ts';

interface RuleTrialProps {
  trigger: RuleTrigger;
  /** Undefined while something is missing. */
  rule: RuleParts | undefined;
}

/** On which of the newest records a rule would have acted, and how. Changes nothing. */
export function RuleTrial({ trigger, rule }: RuleTrialProps) {
  const input = { trigger, conditions: rule?.conditions ?? null };
  const [asked, setAsked] = useState<string>();
  // A result is only shown for the conditions that it was asked for.
  const isAsked = rule !== undefined && asked === JSON.stringify(input);
  const { data, error, isFetching, refetch } = useQuery({ ...trialQuery(input), enabled: isAsked });
  const subjects = subjectsOf(trigger.on);
  const [subject] = subjects;
  return (
    <Section title={t('trial')} intro={t('trial_intro')}>
      <Button
        icon={<FlaskConical aria-hidden className="size-4" />}
        busy={isFetching}
        disabled={rule === undefined}
        onClick={() => {
          if (isAsked) void refetch();
          else setAsked(JSON.stringify(input));
        }}
      >
        {t(subjects.length === 1 && subject ? `try_${subject}` : 'try_both', { count: RULE_TRIED_MAX })}
      </Button>
      {rule === undefined ? <p className="mt-2 text-soft">{t('trial_incomplete')}</p> : null}
      {isAsked && error ? <ErrorNote error={error} title={t('trial_failed')} className="mt-3" /> : null}
      {isAsked && data && rule ? <Result trial={data} actions={rule.actions} subjects={subjects} /> : null}
    </Section>
  );
}

interface ResultProps {
  trial: Trial;
  actions: readonly RuleAction[];
  subjects: readonly RuleSubject[];
}

function Result({ trial: { tried, matched, examples }, actions, subjects }: ResultProps) {
  return (
    <>
      <p role="status" className="tabular mt-4 font-semibold text-lg">
        {tried === 0 ? t('trial_no_records') : t('trial_matched', { count: matched, tried })}
      </p>
      {matched > 0 ? subjects.map((kind) => <Done key={kind} kind={kind} actions={actions} />) : null}
      {examples.length > 0 ? (
        <ul aria-label={t('trial')} className="mt-3 divide-y rounded-lg border">
          {examples.map((one) => (
            <Example key={one.session_id ?? one.ticket_id} example={one} />
          ))}
        </ul>
      ) : null}
      {matched > examples.length ? (
        <p className="mt-2 text-soft">{t('trial_more', { count: matched - examples.length })}</p>
      ) : null}
    </>
  );
}

function Example({ example: { because, ...record } }: { example: Trial['examples'][number] }) {
  const { names } = useRuleWords();
  return (
    <li className="px-3 py-2">
      <RecordLink {...record} />
      {because.length > 0 ? (
        <span className="wrap-anywhere block text-soft text-xs">
          {t('because', { conditions: conditionClause({ all: because }, names) })}
        </span>
      ) : null}
    </li>
  );
}

/** Whether records of a kind have an action. */
const hasAction = (kind: RuleSubject, action: RuleAction): boolean => {
  if (isRuleOnly(action)) return kind === 'chat';
  return kind === 'ticket' || worksInChat(action);
};

/** What would have been done with records of a kind. Actions that they don't have are skipped. */
function Done({ kind, actions }: { kind: RuleSubject; actions: readonly RuleAction[] }) {
  const { names } = useRuleWords();
  const done = actions.filter((action) => hasAction(kind, action));
  const skipped = actions.length - done.length;
  return (
    <p className="wrap-anywhere mt-1">
      {t(`trial_does_${kind}`, { actions: actionsClause(done, names) })}
      {skipped > 0 ? <> {t('trial_skips', { count: skipped })}</> : null}
    </p>
  );
}
