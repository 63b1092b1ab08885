import type { WebhookSubscription } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Pencil, RefreshCw, Send, Trash2, TriangleAlert, Webhook } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { webhooksQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Badge, Bone, Callout, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { SecretDialog } from '../SecretDialog.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { t } from './t.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookHourChart } from './WebhookHourChart.tsx';
import { WebhookResend } from './WebhookResend.tsx';
import { whySaid } from './why-words.ts';

const route = getRouteApi('/desk/settings/webhooks/$subscriptionId');

/** One webhook: what it hears, and every delivery. */
export function WebhookScreen() {
  const id = Number(route.useParams().subscriptionId);
  const { data, error, refetch } = useQuery(webhooksQuery);
  const subscription = data?.items.find((one) => one.id === id);
  if (subscription) return <Loaded key={id} subscription={subscription} />;
  return (
    <Page place="webhook" title={t('title_one')} back={{ to: '/settings/webhooks', label: t('all') }}>
      {data ? (
        <Empty icon={<Webhook />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : error ? (
        <ErrorNote error={error} title={t('one_failed')} onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-40" />
      )}
    </Page>
  );
}

function useWebhookActions(subscription: WebhookSubscription) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const { id } = subscription;
  const test = useMutation({
    mutationFn: () => call('webhook_subscriptions.test', { id }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['deliveries', id] });
      say(t('test_done'));
    },
    onError: (error) => complain(t('test_failed'), error),
  });
  const enable = useMutation({
    mutationFn: (enabled: boolean) => call('webhook_subscriptions.update', { id, enabled }),
    onSuccess: refresh,
    onError: (error) => complain(t('unchanged'), error),
  });
  const rotate = useMutation({
    mutationFn: () => call('webhook_subscriptions.update', { id, rotate_secret: true }),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call('webhook_subscriptions.delete', { id }),
    onSuccess: async () => {
      await navigate({ to: '/settings/webhooks' });
      await refresh();
    },
  });
  return { test, enable, rotate, remove };
}

function Loaded({ subscription }: { subscription: WebhookSubscription }) {
  const [layer, setLayer] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const admin = useIsAdmin();
  const { test, enable, rotate, remove } = useWebhookActions(subscription);
  const close = (): void => setLayer(null);
  // The whole address, which may be long, stands below.
  const name = subscription.description || new URL(subscription.url).host;
  return (
    <Page
      wide
      place={`webhook ${subscription.id}`}
      title={name}
      back={{ to: '/settings/webhooks', label: t('all') }}
      actions={
        admin ? (
          <>
            <Button
              icon={<Send aria-hidden className="size-4" />}
              busy={test.isPending}
              disabled={!subscription.enabled}
              onClick={() => test.mutate()}
            >
              {t('test')}
            </Button>
            <Menu
              label={t('more')}
              items={[
                { label: t('edit'), icon: <Pencil aria-hidden />, onSelect: () => setLayer('edit') },
                {
                  label: t('new_secret'),
                  icon: <RefreshCw aria-hidden />,
                  onSelect: () => setLayer('rotate'),
                },
                {
                  label: t('delete'),
                  icon: <Trash2 aria-hidden />,
                  danger: true,
                  onSelect: () => setLayer('delete'),
                },
              ]}
            />
          </>
        ) : null
      }
    >
      <div className="mb-8 space-y-4 rounded-lg border p-4">
        {subscription.disabled_reason && !subscription.enabled ? (
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            {whySaid(subscription.disabled_reason)} {t('disabled_hint')}
          </Callout>
        ) : null}
        {subscription.enabled && subscription.failing_since_utc ? (
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            {t.rich('failing_hint', { when: <Ago words utc={subscription.failing_since_utc} /> })}
          </Callout>
        ) : null}
        <Toggle
          label={t('deliver')}
          hint={subscription.url}
          on={subscription.enabled}
          disabled={!admin}
          busy={enable.isPending}
          onChange={(on) => enable.mutate(on)}
        />
        <div className="flex flex-wrap gap-1.5">
          {subscription.events.map((event) => (
            <span key={event} title={t(`event_${event}`)}>
              <Badge>{event}</Badge>
            </span>
          ))}
        </div>
        <p className="text-soft">
          {t.rich('secret', {
            secret: <code className="font-mono text-[13px]">whsec_…{subscription.secret_hint}</code>,
          })}
        </p>
      </div>
      <Section title={t('by_hour')}>
        <WebhookHourChart subscriptionId={subscription.id} />
      </Section>
      <Section
        title={t('deliveries')}
        intro={t('deliveries_intro')}
        actions={
          admin ? <WebhookResend subscriptionId={subscription.id} disabled={!subscription.enabled} /> : null
        }
      >
        <DeliveryLog subscriptionId={subscription.id} />
      </Section>
      {layer === 'edit' ? (
        <WebhookDialog subscription={subscription} onClose={close} onSaved={close} />
      ) : null}
      <Confirm
        open={layer === 'rotate'}
        onClose={close}
        title={t('rotate_ask')}
        action={t('rotate')}
        busy={rotate.isPending}
        error={rotate.error}
        danger={false}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: (made) => {
              close();
              setSecret(made.secret ?? null);
            },
          })
        }
      >
        {t('rotate_hint')}
      </Confirm>
      <Confirm
        open={layer === 'delete'}
        onClose={close}
        title={t('delete_ask', { name })}
        action={t('delete_action')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t('delete_hint')}
      </Confirm>
      <SecretDialog
        secret={secret}
        title={t('secret_new_title')}
        label={t('secret_copy')}
        text={t('secret_new_text')}
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}
