import type { Action, ActionStepOf, ActionTest } from '@foyer/protocol';
import { ACTION_VALUE_MAX } from '@foyer/protocol/values/bounds';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { CallBadge } from './CallBadge.tsx';
import { numberOf, stepSentence, variablesOf } from './steps.ts';
import { t } from './t.ts';

const PRE = 'wrap-anywhere whitespace-pre-wrap rounded-lg border bg-surface p-2 font-mono text-xs';

/** Makes the call of a saved step, for real, and shows what was sent and answered. */
export function TestCall({ action: { id, steps, verified } }: { action: Action }) {
  const calls = steps.filter((step): step is ActionStepOf<'call'> => step.type === 'call');
  const [chosen, setChosen] = useState('');
  const [values, setValues] = useState<Record<string, string>>({});
  const step = calls.find((one) => one.id === chosen) ?? calls[0];
  const test = useMutation({
    mutationFn: (step_id: string) => call('actions.test', { id, step_id, values }),
  });
  if (!step) return <p className="text-soft">{t('test_no_call')}</p>;
  const names = variablesOf(steps, verified).filter((name) => !name.startsWith('result.'));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    test.mutate(step.id);
  };
  return (
    <form className="space-y-3" onSubmit={submit}>
      {calls.length > 1 ? (
        <SelectField
          label={t('test_step')}
          value={step.id}
          onChange={({ target }) => setChosen(target.value)}
          options={calls.map((one) => ({
            value: one.id,
            label: t('step', { number: numberOf(steps, one.id), step: stepSentence(one, steps) }),
          }))}
        />
      ) : null}
      {names.map((name) => (
        <TextField
          key={name}
          label={`{{${name}}}`}
          maxLength={ACTION_VALUE_MAX}
          value={values[name] ?? ''}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      ))}
      {step.method === 'GET' ? null : <p className="text-warn-text">{t('test_changes')}</p>}
      <Button type="submit" busy={test.isPending} icon={<Play aria-hidden className="size-4" />}>
        {t('test_run')}
      </Button>
      {test.error ? <ErrorNote title={t('test_failed')} error={test.error} /> : null}
      {test.data ? <Result test={test.data} /> : null}
    </form>
  );
}

function Result({ test: { call: made, request, fields } }: { test: ActionTest }) {
  const found = Object.entries(fields);
  return (
    <div className="space-y-3" aria-live="polite">
      <p className="flex flex-wrap items-center gap-2">
        <CallBadge call={made} />
        <span className="tabular text-soft">{t('duration', { number: made.duration_ms ?? 0 })}</span>
      </p>
      {made.error ? <p className="wrap-anywhere text-danger-text">{made.error}</p> : null}
      <div>
        <p className="mb-1 font-medium text-soft text-xs">{t('sent')}</p>
        <pre className={PRE}>
          {[
            `${request.method} ${request.url}`,
            ...request.headers.map((name) => `${name}: •••`),
            ...(request.body === null ? [] : ['', request.body]),
          ].join('\n')}
        </pre>
      </div>
      {found.length > 0 ? (
        <div>
          <p className="mb-1 font-medium text-soft text-xs">{t('fields')}</p>
          <pre className={PRE}>{found.map(([name, value]) => `{{${name}}}  ${value}`).join('\n')}</pre>
        </div>
      ) : made.response_excerpt ? (
        <div>
          <p className="mb-1 font-medium text-soft text-xs">{t('answer')}</p>
          <pre className={PRE}>{made.response_excerpt}</pre>
        </div>
      ) : null}
    </div>
  );
}
