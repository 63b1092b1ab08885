import type { Rule } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { TriangleAlert, Workflow } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { type Form, useForm } from '../../../forms/use-form.ts';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { disabledWords } from './failure-words.ts';
import { RuleForm } from './RuleForm.tsx';
import { RuleLog } from './RuleLog.tsx';
import { RuleTrial } from './RuleTrial.tsx';
import { rulesQuery } from './rule-queries.ts';
import { actionsOf, inputOf, isComplete, NEW_RULE, type RuleValues, valuesOf } from './rule-values.ts';
import { t } from './t.ts';
import { templateOf } from './templates.ts';
import { useEnabling } from './use-enabling.ts';
import { useRuleWords } from './use-rule-words.ts';

const one = getRouteApi('/desk/settings/rules/$id');
const BACK = '/settings/rules';
const back = () => ({ to: BACK, label: t('title') }) as const;

/** Creates, changes, tries or deletes a rule. */
export function RuleScreen(): ReactNode {
  const { id } = one.useParams();
  const { template } = one.useSearch();
  return id === 'new' ? <NewRule key={template} template={template} /> : <StoredRule id={Number(id)} />;
}

function NewRule({ template }: { template: string | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [initial] = useState(() => valuesOf(templateOf(template) ?? NEW_RULE));
  const form = useForm({
    initial,
    save: (values) => call('rules.create', inputOf(values)),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      toast.success(t('created', { name: saved.name }));
      await navigate({
        to: '/settings/rules/$id',
        params: { id: String(saved.id) },
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  return (
    <Page wide place="rule new" title={t('new')} back={back()}>
      <Editor form={form} isNew summary={<Said values={form.values} />} />
    </Page>
  );
}

function StoredRule({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(rulesQuery);
  const rule = data?.items.find((found) => found.id === id);
  if (rule) return <OneRule key={id} rule={rule} />;
  return (
    <Page place="rule" title={t('edit_title')} back={back()}>
      {data ? (
        <Empty icon={<Workflow />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
      )}
    </Page>
  );
}

function OneRule({ rule }: { rule: Rule }) {
  const mayChange = useMay('workflow');
  const client = useQueryClient();
  const { outcome } = one.useSearch();
  const go = one.useNavigate();
  const stored = useMemo(() => valuesOf(rule), [rule]);
  const form = useForm({
    stored,
    save: (values) => call('rules.update', { id: rule.id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  return (
    <Page
      wide
      place={`rule ${rule.id}`}
      title={rule.name}
      back={back()}
      actions={mayChange ? <DeleteRule rule={rule} /> : null}
    >
      <Editor form={form} summary={<Summary rule={rule} form={form} />} />
      <Section title={t('log')} intro={t('log_intro_one')}>
        <RuleLog
          filter={{ rule: rule.id, outcome }}
          onOutcome={(chosen) => void go({ search: chosen ? { outcome: chosen } : {}, replace: true })}
        />
      </Section>
    </Page>
  );
}

interface EditorProps {
  form: Form<RuleValues>;
  isNew?: boolean;
  summary: ReactNode;
}

/** The form with the rule as a sentence above it and its trial beside it. */
function Editor({ form, isNew = false, summary }: EditorProps) {
  return (
    <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0">
        <AdminOnly may="workflow">
          {summary}
          <RuleForm form={form} isNew={isNew} />
        </AdminOnly>
      </div>
      <aside aria-label={t('trial')} className="min-w-0 max-xl:mt-8 xl:sticky xl:top-4 xl:self-start">
        <RuleTrial
          trigger={form.values.trigger}
          rule={isComplete(form.values) ? inputOf(form.values) : undefined}
        />
      </aside>
    </div>
  );
}

/** The rule in the form as a sentence. */
function Said({ values }: { values: RuleValues }) {
  const { sentence } = useRuleWords();
  const shown = { ...values, conditions: null, actions: actionsOf(values) };
  return (
    <p className="wrap-anywhere mb-8 rounded-lg border bg-sunken p-4" dir="auto">
      {sentence(isComplete(values) ? inputOf(values) : shown)}
    </p>
  );
}

/** Whether it is enabled, what it does, and what it refers to that is gone. */
function Summary({ rule, form }: { rule: Rule; form: Form<RuleValues> }) {
  const mayChange = useMay('workflow');
  const { sentence, missing } = useRuleWords();
  const enable = useEnabling();
  const gone = missing(rule);
  const disabled = disabledWords(rule);
  return (
    <div className="mb-8 space-y-4 rounded-lg border p-4">
      {disabled ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          {disabled}
        </Callout>
      ) : null}
      {gone ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          {gone}
        </Callout>
      ) : null}
      <Toggle
        label={t('enabled')}
        hint={sentence(rule)}
        on={rule.enabled}
        disabled={!mayChange}
        busy={enable.isPending}
        onChange={(enabled) => enable.mutate({ id: rule.id, enabled })}
      />
      {form.dirty ? <p className="text-soft">{t('enabled_as_saved')}</p> : null}
    </div>
  );
}

function DeleteRule({ rule: { id, name } }: { rule: Rule }) {
  return (
    <DeleteRecord
      label={t('delete')}
      title={t('delete_ask', { name })}
      action={t('delete_action')}
      done={t('deleted', { name })}
      run={() => call('rules.delete', { id })}
      back={BACK}
      listKey={rulesQuery.queryKey}
    >
      {t('delete_hint')}
    </DeleteRecord>
  );
}
