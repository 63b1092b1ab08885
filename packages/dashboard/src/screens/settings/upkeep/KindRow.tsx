import type { RetentionState } from '@foyer/protocol';
import { WEBHOOK_LOG_MAX_DAYS } from '@foyer/protocol/values/bounds';
import { CHOSEN_RETENTION_KINDS } from '@foyer/protocol/values/wire-names';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api.ts';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { withValue } from '../with-value.ts';
import { AskShorter } from './AskShorter.tsx';
import { RETENTION_KEY } from './retention-query.ts';
import { lengthInWords, YEAR_DAYS } from './retention-words.ts';
import { t } from './t.ts';

const DAYS = [30, 90, 180, 365, 2 * YEAR_DAYS, 3 * YEAR_DAYS, 5 * YEAR_DAYS, 7 * YEAR_DAYS];
const WEBHOOK_DAYS = [7, 14, 30, 90, 180, WEBHOOK_LOG_MAX_DAYS];
const FOR_EVER = '';

/** A period set by the command line or an earlier version is a choice too. */
const choicesOf = ({ kind, keep_days: kept }: RetentionState): number[] => {
  const days = kind === 'webhook_log' ? WEBHOOK_DAYS : DAYS;
  return kept === null ? days : withValue(days, kept);
};

const isShorter = (days: number | null, kept: number | null): days is number =>
  days !== null && (kept === null || days < kept);

/** A kind of data: how long it is kept, what will be deleted next, and what was deleted last. */
export function KindRow({ state }: { state: RetentionState }) {
  const [asking, setAsking] = useState<number | null>(null);
  const client = useQueryClient();
  const kind = CHOSEN_RETENTION_KINDS.find((chosen) => chosen === state.kind);
  const title = t(`kind_${state.kind}`);
  const save = useMutation({
    mutationFn: async (keep_days: number | null) => {
      if (kind) await call('retention.set', { kind, keep_days });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: RETENTION_KEY });
      setAsking(null);
      toast.success(t('kept_saved'));
    },
    onError: (error) => {
      if (asking === null) toast.error(t('kept_failed'), error);
    },
  });
  const choose = (value: string): void => {
    if (save.isPending) return;
    const days = value === FOR_EVER ? null : Number(value);
    save.reset();
    if (isShorter(days, state.keep_days)) setAsking(days);
    else save.mutate(days);
  };
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 px-4 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-medium">{title}</h2>
        <p className="mt-0.5 max-w-xl text-soft">{t(`kind_${state.kind}_hint`)}</p>
        <p className="tabular mt-1 flex flex-wrap gap-x-2 text-soft text-xs">
          <Standing state={state} />
        </p>
      </div>
      {kind ? (
        <LengthField state={state} busy={save.isPending} onChoose={choose} />
      ) : (
        <p className="w-40 py-2 max-md:w-full max-md:py-0">{lengthInWords(state.keep_days ?? 0)}</p>
      )}
      {asking === null || !kind ? null : (
        <AskShorter
          kind={kind}
          title={title}
          days={asking}
          onClose={() => setAsking(null)}
          save={{ ...save, mutate: () => save.mutate(asking) }}
        />
      )}
    </li>
  );
}

interface LengthFieldProps {
  state: RetentionState;
  busy: boolean;
  onChoose: (value: string) => void;
}

function LengthField({ state, busy, onChoose }: LengthFieldProps) {
  return (
    <SelectField
      bare
      label={t('keep', { kind: t(`kind_${state.kind}`) })}
      frame="w-40 max-md:w-full"
      value={state.keep_days ?? FOR_EVER}
      aria-busy={busy}
      onChange={({ target }) => onChoose(target.value)}
      options={[
        ...(state.kind === 'webhook_log' ? [] : [{ value: FOR_EVER, label: t('keep_ever') }]),
        ...choicesOf(state).map((days) => ({ value: days, label: lengthInWords(days) })),
      ]}
    />
  );
}

function Standing({ state }: { state: RetentionState }): ReactNode {
  const { due, running, deleted, deleted_utc, last_run_utc } = state;
  return (
    <>
      {running ? <span>{t('running')}</span> : null}
      {due && !running ? (
        <span>
          {due.count === 0 ? t('due_none') : t(due.at_least ? 'due_more' : 'due', { count: due.count })}
        </span>
      ) : null}
      {deleted_utc ? (
        <span>{t.rich('deleted', { count: deleted, when: <Ago words utc={deleted_utc} /> })}</span>
      ) : null}
      {due && last_run_utc ? (
        <span>{t.rich('looked', { when: <Ago words utc={last_run_utc} /> })}</span>
      ) : null}
    </>
  );
}
