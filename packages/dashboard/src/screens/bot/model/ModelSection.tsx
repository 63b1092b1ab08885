import type { LanguageModelSetup } from '@foyer/protocol';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Section } from '../../../ui/Page.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { ModelDialog } from './ModelDialog.tsx';
import { modelQuery, noteSetup } from './model-query.ts';
import { t } from './t.ts';

/** Which language model the site uses, for admins. */
export function ModelSection() {
  const { data, error, refetch } = useQuery(modelQuery);
  return (
    <Section title={t('title')} intro={t('intro')}>
      {data ? (
        <Setup setup={data} />
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-24" />
      )}
    </Section>
  );
}

function Setup({ setup }: { setup: LanguageModelSetup }) {
  const { source, own } = setup;
  const [open, setOpen] = useState<'form' | 'removing'>();
  const test = useMutation({ mutationFn: () => call('language_model.test', {}) });
  const close = () => setOpen(undefined);
  return (
    <div className="space-y-3">
      <InUse setup={setup} onSwitched={test.reset} />
      <div className="flex flex-wrap gap-2">
        {source ? (
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            {t('test')}
          </Button>
        ) : null}
        <Button onClick={() => setOpen('form')}>
          {t(own ? 'edit' : setup.environment ? 'set_up_own' : 'set_up')}
        </Button>
        {own ? <Button onClick={() => setOpen('removing')}>{t('remove')}</Button> : null}
      </div>
      <TestResult test={test} />
      {open === 'form' ? (
        <ModelDialog
          own={own}
          onClose={close}
          onSaved={() => (setup.enabled ? test.mutate() : test.reset())}
        />
      ) : null}
      <Removal setup={setup} open={open === 'removing'} onClose={close} onRemoved={test.reset} />
    </div>
  );
}

function InUse({ setup, onSwitched }: { setup: LanguageModelSetup; onSwitched: () => void }) {
  const client = useQueryClient();
  const turn = useMutation({
    mutationFn: (enabled: boolean) => call('language_model.switch', { enabled }),
    onSuccess: (saved) => {
      noteSetup(client, saved);
      onSwitched();
    },
    onError: (error) => toast.error(t('unchanged'), error),
  });
  const { own, environment, enabled } = setup;
  if (!own && !environment && enabled) return <p className="text-soft">{t('by_none')}</p>;
  return (
    <Toggle
      label={t('use')}
      hint={enabled ? <Standing setup={setup} /> : t('off')}
      on={enabled}
      busy={turn.isPending}
      onChange={turn.mutate}
    />
  );
}

function Standing({ setup: { own, environment } }: { setup: LanguageModelSetup }) {
  const named = (model: string) => <bdi className="font-medium text-text">{model}</bdi>;
  if (!own)
    return (
      <>
        {t.rich('by_environment', { model: named(environment?.model ?? '') })}
        <br />
        {t('by_environment_hint')}
      </>
    );
  const host = own.base_url === null ? 'api.anthropic.com' : (URL.parse(own.base_url)?.host ?? own.base_url);
  return (
    <>
      {t.rich('by_site', { model: named(own.model), host: <bdi>{host}</bdi> })}
      <br />
      {own.key_hint === null
        ? t('key_none')
        : own.key_hint === ''
          ? t('key_there')
          : t('key_hint', { hint: own.key_hint })}
    </>
  );
}

type Tested = Awaited<ReturnType<typeof call<'language_model.test'>>>;

function TestResult({ test: { data, error } }: { test: UseMutationResult<Tested, Error, void> }) {
  return (
    <>
      <div role="status">
        {data?.problem === null ? <p>{t('tested', { seconds: data.duration_ms / 1_000 })}</p> : null}
        {data?.problem ? <p className="text-danger-text">{t(`problem_${data.problem}`)}</p> : null}
        {data?.detail ? (
          <>
            <p className="mt-2 text-soft">{t('provider_said')}</p>
            <p className="wrap-anywhere mt-1 rounded-lg border bg-sunken p-3 font-mono text-xs" dir="auto">
              {data.detail}
            </p>
          </>
        ) : null}
      </div>
      {error ? <ErrorNote error={error} title={t('test_failed')} /> : null}
    </>
  );
}

interface RemovalProps {
  setup: LanguageModelSetup;
  open: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

function Removal({ setup: { environment, enabled }, open, onClose, onRemoved }: RemovalProps) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('remove_ask')}
      action={t('remove')}
      run={() => call('language_model.clear', {})}
      onDone={(saved) => {
        noteSetup(client, saved);
        onClose();
        onRemoved();
        toast.success(t('removed'));
      }}
    >
      {t(environment && enabled ? 'remove_to_server' : 'remove_to_bot')}
    </ConfirmAction>
  );
}
