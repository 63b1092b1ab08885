import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useIsAdmin, useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { SelectField } from '../../ui/Field.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { count } from '../../words.ts';

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
      say('Saved. What is older goes in the background.');
    },
    onError: (error) => complain('Nothing was changed', error),
  });
  const kept = site.webhook_log_days;
  const days = DAYS.includes(kept) ? DAYS : [...DAYS, kept].toSorted((a, b) => a - b);
  return (
    <SelectField
      label="Keep the delivery log for"
      frame="mt-8 max-w-60"
      hint="Deliveries that are still being tried stay longer."
      value={kept}
      disabled={!admin || save.isPending}
      onChange={(event) => save.mutate(Number(event.target.value))}
    >
      {days.map((one) => (
        <option key={one} value={one}>
          {count(one, 'day')}
        </option>
      ))}
    </SelectField>
  );
}
