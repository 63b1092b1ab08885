import type { Action, ActionStep } from '@foyer/protocol';
import {
  ACTION_LABEL_MAX,
  ACTION_NAME_MAX,
  ACTION_PURPOSE_MAX,
  ACTION_STEPS_MAX,
} from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormError } from '../../forms/FormError.tsx';
import { LeaveGuard } from '../../forms/LeaveGuard.tsx';
import { type KeyedStep, keyed, StepList } from '../../forms/StepList.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckField, TextArea, TextField } from '../../ui/forms/Field.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Empty } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { phrasesOf } from '../settings/lines.ts';
import { actionsQuery } from './action-queries.ts';
import { StepFields } from './StepFields.tsx';
import { firstSteps, newStep, STEP_KINDS, stepSentence, variablesOf } from './steps.ts';
import { TestCall } from './TestCall.tsx';
import { t } from './t.ts';

const one = getRouteApi('/desk/knowledge/actions/$actionId');

interface Values {
  name: string;
  label: string;
  purpose: string;
  examples: string;
  verified: boolean;
  enabled: boolean;
  steps: KeyedStep<ActionStep>[];
}

const BACK = { to: '/knowledge/actions' } as const;

/** A new action: it asks for one thing, looks it up and says what was found. */
export const NewActionScreen = () => <ActionForm action={null} />;

/** One action, to be changed. */
export function ActionScreen() {
  const id = Number(one.useParams().actionId);
  const { data, error, refetch } = useQuery(actionsQuery);
  const action = data?.find((found) => found.id === id);
  if (action) return <ActionForm key={id} action={action} />;
  return (
    <Page place="action" title={t('edit_title')} back={{ ...BACK, label: t('title') }}>
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

function useActionForm(action: Action | null) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [steps] = useState(() => (action?.steps ?? firstSteps()).map((step) => keyed(step)));
  return useForm({
    initial: {
      name: action?.name ?? '',
      label: action?.label ?? '',
      purpose: action?.purpose ?? '',
      examples: action?.examples.join('\n') ?? '',
      verified: action?.verified ?? false,
      enabled: action?.enabled ?? true,
      steps,
    } as Values,
    save: ({ examples, steps: list, ...values }) => {
      const input = { ...values, examples: phrasesOf(examples), steps: list.map(({ step }) => step) };
      return action ? call('actions.update', { id: action.id, ...input }) : call('actions.create', input);
    },
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: actionsQuery.queryKey });
      toast.success(t(action ? 'saved' : 'created', { name: saved.name }));
      await navigate({ ...BACK, ignoreBlocker: true });
    },
  });
}

function ActionForm({ action }: { action: Action | null }) {
  const navigate = useNavigate();
  const admin = useMay('bot');
  const form = useActionForm(action);
  const { name, label, steps } = form.values;
  return (
    <Page
      wide
      place={`action ${action?.id ?? 'new'}`}
      title={t(action ? 'edit_title' : 'new')}
      back={{ ...BACK, label: t('title') }}
    >
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_24rem]">
        <form onSubmit={form.submit} className="min-w-0">
          <fieldset disabled={!admin} className="min-w-0">
            <Purpose form={form} />
            <Steps form={form} />
          </fieldset>
          <FormError form={form} title={t('save_failed')} className="mt-6" />
          <div className="mt-8 flex flex-wrap gap-3">
            <Button
              type="submit"
              look="primary"
              busy={form.saving}
              disabled={!admin || steps.length === 0 || name.trim() === '' || label.trim() === ''}
            >
              {action ? tCommon('save') : t('create')}
            </Button>
            <Button look="quiet" onClick={() => void navigate(BACK)}>
              {tCommon('cancel')}
            </Button>
          </div>
        </form>
        <LeaveGuard dirty={form.dirty} />
        <aside aria-label={t('test')} className="max-xl:mt-8 xl:sticky xl:top-4 xl:self-start">
          <Section title={t('test')} intro={t('test_intro')}>
            {action && !form.dirty && admin ? (
              <TestCall action={action} />
            ) : (
              <p className="text-soft">{t('test_saved')}</p>
            )}
          </Section>
        </aside>
      </div>
    </Page>
  );
}

function Purpose({ form }: { form: Form<Values> }) {
  return (
    <div className="mb-8 max-w-160 space-y-4">
      <TextField
        label={t('name')}
        hint={t('name_hint')}
        required
        maxLength={ACTION_NAME_MAX}
        placeholder={t('name_example')}
        {...form.text('name')}
      />
      <TextField
        label={t('label')}
        hint={t('label_hint')}
        required
        maxLength={ACTION_LABEL_MAX}
        placeholder={t('label_example')}
        {...form.text('label')}
      />
      <TextArea
        label={t('examples')}
        hint={t('examples_hint')}
        rows={3}
        placeholder={t('examples_example')}
        {...form.text('examples')}
      />
      <TextArea
        label={t('purpose')}
        hint={t('purpose_hint')}
        rows={2}
        maxLength={ACTION_PURPOSE_MAX}
        {...form.text('purpose')}
      />
      <CheckField
        label={t('verified')}
        hint={t('verified_hint', { variables: '{{visitor.key}}, {{visitor.email}}' })}
        {...form.checkbox('verified')}
      />
      <CheckField label={t('enabled')} {...form.checkbox('enabled')} />
    </div>
  );
}

function Steps({ form }: { form: Form<Values> }) {
  const steps = form.values.steps.map(({ step }) => step);
  const names = variablesOf(steps, form.values.verified);
  return (
    <Section title={t('steps')} intro={t('steps_intro')}>
      <p className="wrap-anywhere mb-3 text-soft">
        {t('variables')}{' '}
        {names.map((name) => (
          <code key={name} className="me-2 font-mono text-sm">{`{{${name}}}`}</code>
        ))}
      </p>
      <StepList
        steps={form.values.steps}
        max={ACTION_STEPS_MAX}
        titleOf={(step, at) => t('step', { number: at + 1, step: stepSentence(step, steps) })}
        words={{
          nothing: t('steps_none'),
          add: t('step_add'),
          up: (step) => t('step_up', { step }),
          down: (step) => t('step_down', { step }),
          remove: (step) => t('step_remove', { step }),
        }}
        kinds={STEP_KINDS.map((kind) => ({
          label: t(`step_${kind}`),
          create: () => newStep(kind, steps),
        }))}
        fields={(step, at, change) => (
          <StepFields step={step} steps={steps} fault={form.issue(`steps.${at}`)} onChange={change} />
        )}
        onChange={(changed) => form.set({ steps: changed })}
      />
    </Section>
  );
}
