import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { meQuery } from '../../../queries.ts';
import { SelectField } from '../../../ui/Field.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { t } from './t.ts';

const DAYS = [7, 14, 30, 90, 180, 365];

/** How long the log is kept: one choice for all webhooks of the site, in effect at once. */
export function WebhookRetention() {
  const { site } = useMe();
  const admin = useIsAdmin();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (webhook_log_days: number) => call('site.update', { webhook_log_days }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      say(t('keep_saved'));
    },
    onError: (error) => complain(t('unchanged'), error),
  });
  const kept = site.webhook_log_days;
  const days = DAYS.includes(kept) ? DAYS : [...DAYS, kept].toSorted((a, b) => a - b);
  return (
    <SelectField
      label={t('keep')}
      frame="mt-8 max-w-60"
      hint={t('keep_hint')}
      value={kept}
      disabled={!admin || save.isPending}
      onChange={(event) => save.mutate(Number(event.target.value))}
    >
      {days.map((one) => (
        <option key={one} value={one}>
          {t('keep_days', { count: one })}
        </option>
      ))}
    </SelectField>
  );
}
