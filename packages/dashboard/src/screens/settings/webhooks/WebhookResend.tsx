import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { isSince, SINCE_CHOICES, type Since, sinceTime } from './delivery-filter.ts';
import { t } from './t.ts';

/** Sends all deliveries again that failed for good since a time. */
export function WebhookResend({ subscriptionId, disabled }: { subscriptionId: number; disabled: boolean }) {
  const [open, setOpen] = useState(false);
  const [since, setSince] = useState<Since>('24h');
  const client = useQueryClient();
  return (
    <>
      <Button
        small
        icon={<RotateCcw aria-hidden className="size-4" />}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {t('resend_all')}
      </Button>
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={t('resend_ask')}
        action={t('retry')}
        danger={false}
        run={() =>
          call('webhook_deliveries.resend', { subscription_id: subscriptionId, dead_since: sinceTime(since) })
        }
        onDone={(answer) => {
          setOpen(false);
          void client.invalidateQueries({ queryKey: ['deliveries', subscriptionId] });
          const queued = 'queued' in answer ? answer.queued : 0;
          toast.success(queued === 0 ? t('resend_none') : t('resend_done', { count: queued }));
        }}
      >
        <p className="mb-3">{t('resend_hint')}</p>
        <SelectField
          label={t('resend_since')}
          value={since}
          onChange={(event) => isSince(event.target.value) && setSince(event.target.value)}
          options={SINCE_CHOICES.map((value) => ({ value, label: t(`in_${value}`) }))}
        />
      </ConfirmAction>
    </>
  );
}
