import type { WebhookSubscription } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { LinkRow } from '../../../ui/rows/LinkRow.tsx';
import { Badge, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { t } from './t.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { webhooksQuery } from './webhook-queries.ts';
import { whySaid } from './why-words.ts';

/** The site's webhooks. */
export function WebhookSettings() {
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const admin = useMay('integrations');
  const create = admin ? (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
      {t('new')}
    </Button>
  ) : null;
  const list = data?.items;
  return (
    <Page
      place="settings webhooks"
      title={t('title')}
      intro={t('intro')}
      actions={list && list.length > 0 ? create : null}
    >
      {!list ? (
        <Waiting error={error} retry={refetch} failed={t('all_failed')} rows={2} />
      ) : list.length === 0 ? (
        <Empty icon={<Webhook />} title={t('empty')} action={create}>
          {t('empty_hint')}
        </Empty>
      ) : (
        <Rows label={t('title')}>
          {list.map((one) => (
            <Row key={one.id} subscription={one} />
          ))}
        </Rows>
      )}
      {creating ? (
        <WebhookDialog
          subscription={null}
          onClose={() => setCreating(false)}
          onSaved={(saved) => {
            setCreating(false);
            setSecret(saved.secret ?? null);
          }}
        />
      ) : null}
      <SecretDialog
        secret={secret}
        title={t('secret_title')}
        label={t('secret_copy')}
        text={t('secret_text')}
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}

function State({ subscription }: { subscription: WebhookSubscription }) {
  if (!subscription.enabled) return <Badge tone="warn">{t('off')}</Badge>;
  return subscription.failing_since_utc ? (
    <Badge tone="danger">{t('failing')}</Badge>
  ) : (
    <Badge tone="good">{t('on')}</Badge>
  );
}

function Row({ subscription }: { subscription: WebhookSubscription }) {
  return (
    <li>
      <LinkRow to="/settings/webhooks/$subscriptionId" params={{ subscriptionId: String(subscription.id) }}>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{subscription.description || subscription.url}</span>
          <span className="block truncate text-soft text-xs">
            {subscription.description ? `${subscription.url} · ` : ''}
            {t('events', { count: subscription.events.length })} ·{' '}
            {subscription.last_delivery_utc
              ? t.rich('last_delivery', { when: <Ago words utc={subscription.last_delivery_utc} /> })
              : t('no_delivery')}
          </span>
          {!subscription.enabled && subscription.disabled_reason ? (
            <span className="block truncate text-warn-text text-xs">
              {whySaid(subscription.disabled_reason)}
            </span>
          ) : null}
          {subscription.enabled && subscription.failing_since_utc ? (
            <span className="block truncate text-danger-text text-xs">
              {t.rich('failing_since', { when: <Ago words utc={subscription.failing_since_utc} /> })}
            </span>
          ) : null}
        </span>
        <State subscription={subscription} />
      </LinkRow>
    </li>
  );
}
