import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import { say } from '../../ui/toast-store.ts';
import { t } from './t.ts';

const MONTHS = [3, 6, 12, 24, 60];
const FOR_EVER = '';

/** How long the log is kept; what would go now is said before it does. */
export function AuditRetention() {
  const { site } = useMe();
  const client = useQueryClient();
  const [asking, setAsking] = useState<number | null>(null);
  const kept = site.audit_log_months;
  const save = useMutation({
    mutationFn: (audit_log_months: number | null) => call('site.update', { audit_log_months }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      setAsking(null);
      say(t('kept_saved'));
    },
  });
  const choose = (value: string): void => {
    save.reset();
    if (value === FOR_EVER) save.mutate(null);
    else setAsking(Number(value));
  };
  const choices =
    kept === null || MONTHS.includes(kept) ? MONTHS : [...MONTHS, kept].toSorted((a, b) => a - b);
  return (
    <Section title={t('kept_title')} intro={t('kept_intro')}>
      <SelectField
        label={t('kept_for')}
        frame="max-w-60"
        value={kept ?? FOR_EVER}
        disabled={save.isPending}
        onChange={({ target }) => choose(target.value)}
      >
        <option value={FOR_EVER}>{t('kept_ever')}</option>
        {choices.map((months) => (
          <option key={months} value={months}>
            {t('kept_months', { count: months })}
          </option>
        ))}
      </SelectField>
      {save.error && asking === null ? (
        <ErrorNote error={save.error} title={t('kept_failed')} className="mt-3" />
      ) : null}
      {asking === null ? null : (
        <Confirm
          open
          onClose={() => setAsking(null)}
          title={t('kept_ask', { count: asking })}
          action={t('kept_save')}
          busy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate(asking)}
        >
          <Older months={asking} />
        </Confirm>
      )}
    </Section>
  );
}

function Older({ months }: { months: number }) {
  const { data, error } = useQuery({
    queryKey: ['audit', 'older', months],
    queryFn: ({ signal }) => call('audit.count_older', { months }, signal),
    staleTime: 0,
  });
  if (error) return <ErrorNote error={error} />;
  return data ? t('kept_goes', { count: data.count }) : t('kept_counting');
}
