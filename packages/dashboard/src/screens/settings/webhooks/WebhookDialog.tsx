import type { OutputOf, WebhookEvent, WebhookSubscription } from '@foyer/protocol';
import { URL_MAX, WEBHOOK_DESCRIPTION_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { CheckField, TextField } from '../../../ui/forms/Field.tsx';
import { WEBHOOK_EVENTS } from './delivery-filter.ts';
import { t } from './t.ts';
import { webhooksQuery } from './webhook-queries.ts';

/** `ping` is only sent by the test button; nobody subscribes to it. */
const EVENTS = WEBHOOK_EVENTS.filter((event) => event !== 'ping');

interface WebhookDialogProps {
  /** Null creates a new one. */
  subscription: WebhookSubscription | null;
  onClose: () => void;
  onSaved: (saved: OutputOf<'webhook_subscriptions.create'>) => void;
}

/** Creates a webhook or changes one. */
export function WebhookDialog({ subscription, onClose, onSaved }: WebhookDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: {
      url: subscription?.url ?? '',
      description: subscription?.description ?? '',
      events: subscription?.events ?? (['handoff', 'feedback'] as WebhookEvent[]),
    },
    save: ({ description, ...values }) => {
      const input = { ...values, description: description.trim() || null };
      return subscription
        ? call('webhook_subscriptions.update', { id: subscription.id, ...input })
        : call('webhook_subscriptions.create', input);
    },
    onSaved: (saved) => {
      void client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      onSaved(saved);
    },
  });
  const { events } = form.values;
  return (
    <FormDialog
      title={subscription ? t('edit_title') : t('new')}
      form={form}
      action={subscription ? t('save') : t('create')}
      disabled={events.length === 0}
      onClose={onClose}
    >
      <TextField
        label={t('address')}
        type="url"
        hint={t('address_hint')}
        required
        autoFocus
        maxLength={URL_MAX}
        placeholder="https://example.com/hooks/foyer"
        {...form.text('url')}
      />
      <TextField label={t('description')} maxLength={WEBHOOK_DESCRIPTION_MAX} {...form.text('description')} />
      <EventChoice events={events} onChange={(chosen) => form.set({ events: chosen })} />
    </FormDialog>
  );
}

interface EventChoiceProps {
  events: readonly WebhookEvent[];
  onChange: (events: WebhookEvent[]) => void;
}

function EventChoice({ events, onChange }: EventChoiceProps) {
  return (
    <fieldset className="space-y-2">
      <legend className="mb-2 font-medium">{t('events_title')}</legend>
      {EVENTS.map((event) => (
        <CheckField
          key={event}
          label={
            <>
              {t(`event_${event}`)} <code className="font-mono text-faint text-xs">{event}</code>
            </>
          }
          checked={events.includes(event)}
          onChange={({ target }) =>
            onChange(target.checked ? [...events, event] : events.filter((one) => one !== event))
          }
        />
      ))}
    </fieldset>
  );
}
