import type { OutputOf, WebhookEvent, WebhookSubscription } from '@foyer/protocol';
import { URL_MAX, WEBHOOK_DESCRIPTION_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { webhooksQuery } from '../../../queries.ts';
import { CheckField, TextField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { WEBHOOK_EVENTS } from './delivery-filter.ts';
import { t } from './t.ts';

/** `ping` comes by the test button only; nobody subscribes to it. */
const EVENTS = WEBHOOK_EVENTS.filter((event) => event !== 'ping');

interface WebhookDialogProps {
  /** Null makes a new one. */
  subscription: WebhookSubscription | null;
  onClose: () => void;
  onSaved: (saved: OutputOf<'webhook_subscriptions.create'>) => void;
}

export function WebhookDialog({ subscription, onClose, onSaved }: WebhookDialogProps) {
  const [url, setUrl] = useState(subscription?.url ?? '');
  const [description, setDescription] = useState(subscription?.description ?? '');
  const [events, setEvents] = useState<WebhookEvent[]>(subscription?.events ?? ['handoff', 'feedback']);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const input = { url, events, description: description.trim() || null };
      return subscription
        ? call('webhook_subscriptions.update', { id: subscription.id, ...input })
        : call('webhook_subscriptions.create', input);
    },
    onSuccess: (saved) => {
      void client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      onSaved(saved);
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  return (
    <FormDialog
      title={subscription ? t('edit_title') : t('new')}
      save={save}
      fields={['url', 'description']}
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
        value={url}
        error={fields?.issue('url')}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={t('description')}
        maxLength={WEBHOOK_DESCRIPTION_MAX}
        value={description}
        error={fields?.issue('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
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
            onChange={(change) =>
              setEvents(change.target.checked ? [...events, event] : events.filter((one) => one !== event))
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
