import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { say } from '../../ui/toast-store.ts';
import { count } from '../../words.ts';
import { isSince, SINCE, type Since, sinceTime } from './delivery-filter.ts';

/** Sends again all that was given up since a time. */
export function WebhookResend({ subscriptionId, disabled }: { subscriptionId: number; disabled: boolean }) {
  const [open, setOpen] = useState(false);
  const [since, setSince] = useState<Since>('24h');
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () =>
      call('webhook_deliveries.resend', { subscription_id: subscriptionId, dead_since: sinceTime(since) }),
    onSuccess: (answer) => {
      setOpen(false);
      void client.invalidateQueries({ queryKey: ['deliveries', subscriptionId] });
      const queued = 'queued' in answer ? answer.queued : 0;
      say(
        queued === 0
          ? 'None was given up since then.'
          : `${count(queued, 'delivery', 'deliveries')} go out again.`,
      );
    },
  });
  return (
    <>
      <Button
        small
        icon={<RotateCcw aria-hidden className="size-4" />}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        Send given-up ones again
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title="Send again what was given up?"
        action="Send again"
        danger={false}
        busy={resend.isPending}
        error={resend.error}
        onConfirm={() => resend.mutate()}
      >
        <p className="mb-3">
          Every delivery that was given up goes out once more, the oldest first. Your receiver may have seen
          some of them: the delivery’s id says so.
        </p>
        <SelectField
          label="Given up in"
          value={since}
          onChange={(event) => isSince(event.target.value) && setSince(event.target.value)}
        >
          {Object.entries(SINCE).map(([value, { words }]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
      </Confirm>
    </>
  );
}
