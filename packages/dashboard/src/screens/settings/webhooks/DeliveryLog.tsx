import type { DeliveryAttempt, DeliveryStatus, WebhookDelivery } from '@foyer/protocol';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Inbox, RotateCcw } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../../../api.ts';
import { clock, exact } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { LogRow, LogText } from '../../../ui/rows/LogRow.tsx';
import { PagedList } from '../../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { type DeliveryFilter, isSince, SINCE_CHOICES, WEBHOOK_EVENTS } from './delivery-filter.ts';
import { t } from './t.ts';
import { deliveriesQuery, webhookHoursKey } from './webhook-queries.ts';
import { whySaid } from './why-words.ts';

const route = getRouteApi('/desk/settings/webhooks/$subscriptionId');

/** How often the log is polled while a delivery is pending; the socket doesn't report them. */
const WATCH_MS = 3000;

const TONES: Record<DeliveryStatus, 'plain' | 'good' | 'warn' | 'danger'> = {
  pending: 'plain',
  delivered: 'good',
  retrying: 'warn',
  dead: 'danger',
};

const STATES = Object.keys(TONES) as DeliveryStatus[];

const isUnderWay = (deliveries: readonly WebhookDelivery[] = []): boolean =>
  deliveries.some(({ status }) => status === 'pending' || status === 'retrying');

/** The newest first, each with its attempts. The filter is in the address. */
export function DeliveryLog({ subscriptionId }: { subscriptionId: number }) {
  const filter = route.useSearch();
  const client = useQueryClient();
  const list = useInfiniteQuery({
    ...deliveriesQuery(subscriptionId, filter),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.pages[0]?.items) ? WATCH_MS : false),
  });
  const underWay = isUnderWay(list.data?.pages[0]?.items);
  useEffect(() => {
    if (!underWay) return;
    return () => void client.invalidateQueries({ queryKey: webhookHoursKey(subscriptionId) });
  }, [client, underWay, subscriptionId]);
  const deliveries = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Filters filter={filter} />
      <PagedList
        list={list}
        count={deliveries.length}
        label={t('deliveries')}
        failed={t('log_failed')}
        bones={{ rows: 4 }}
        empty={
          <Empty icon={<Inbox />} title={isFiltered ? t('log_none') : t('log_empty')}>
            {isFiltered ? t('log_none_hint') : t('log_empty_hint')}
          </Empty>
        }
      >
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </PagedList>
    </>
  );
}

function Filters({ filter }: { filter: DeliveryFilter }) {
  const navigate = route.useNavigate();
  const set = (change: { [K in keyof DeliveryFilter]?: DeliveryFilter[K] | undefined }): void => {
    const { status, event, since } = { ...filter, ...change };
    void navigate({
      search: { ...(status && { status }), ...(event && { event }), ...(since && { since }) },
      replace: true,
    });
  };
  const frame = 'min-w-36 flex-1 sm:max-w-52';
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <SelectField
        bare
        label={t('status')}
        frame={frame}
        value={filter.status ?? ''}
        onChange={({ target }) => set({ status: STATES.find((one) => one === target.value) })}
        any={t('status_any')}
        options={STATES.map((value) => ({ value, label: t(`status_${value}`) }))}
      />
      <SelectField
        bare
        label={t('event')}
        frame={frame}
        value={filter.event ?? ''}
        onChange={({ target }) => set({ event: WEBHOOK_EVENTS.find((one) => one === target.value) })}
        any={t('event_any')}
        options={WEBHOOK_EVENTS.map((value) => ({ value, label: value }))}
      />
      <SelectField
        bare
        label={t('since')}
        frame={frame}
        value={filter.since ?? ''}
        onChange={({ target }) => set({ since: isSince(target.value) ? target.value : undefined })}
        any={t('since_any')}
        options={SINCE_CHOICES.map((value) => ({ value, label: t(`since_${value}`) }))}
      />
    </div>
  );
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const count = delivery.attempts.length;
  const status = delivery.attempts.at(-1)?.status_code;
  return (
    <LogRow
      title={delivery.event}
      note={status ? t('attempts_answered', { status: String(status), count }) : t('attempts', { count })}
      badge={<Badge tone={TONES[delivery.status]}>{t(`status_${delivery.status}`)}</Badge>}
      utc={delivery.created_utc}
    >
      {() => <Details delivery={delivery} />}
    </LogRow>
  );
}

function Details({ delivery }: { delivery: WebhookDelivery }) {
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => call('webhook_deliveries.resend', { id: delivery.id }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['deliveries', delivery.subscription_id] });
      toast.success(t('resend_one_done'));
    },
    onError: (error) => toast.error(t('resend_one_failed'), error),
  });
  return (
    <>
      <ol aria-label={t('attempts_title')} className="space-y-2">
        {delivery.attempts.map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} />
        ))}
      </ol>
      {delivery.next_attempt_utc && delivery.status !== 'delivered' ? (
        <p className="text-soft" title={exact(delivery.next_attempt_utc)}>
          {t('next_attempt', { time: clock(delivery.next_attempt_utc) })}
        </p>
      ) : null}
      <LogText label={t('sent')}>{JSON.stringify(delivery.payload, null, 2)}</LogText>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <code className="truncate font-mono text-faint text-xs">{delivery.delivery_id}</code>
        <Button
          small
          icon={<RotateCcw aria-hidden className="size-4" />}
          busy={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {t('resend')}
        </Button>
      </div>
    </>
  );
}

/** How many characters of a response are shown at first. */
const ANSWER_SHORT = 400;

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const good = attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300;
  return (
    <li>
      <p className="tabular flex flex-wrap gap-x-3">
        <span className="text-soft" title={exact(attempt.at_utc)}>
          {attempt.number}. {clock(attempt.at_utc)}
        </span>
        <span className={good ? 'text-good-text' : 'text-danger-text'}>
          {attempt.error !== null
            ? whySaid(attempt.error)
            : attempt.status_code === null
              ? t('no_answer')
              : t('answered', { status: String(attempt.status_code) })}
        </span>
        <span className="text-faint">{t('duration', { number: attempt.duration_ms })}</span>
      </p>
      {attempt.request_headers ? (
        <details className="mt-1">
          <summary className="cursor-pointer text-soft text-xs">{t('headers')}</summary>
          <pre className="wrap-anywhere mt-1 whitespace-pre-wrap rounded-lg border bg-surface p-2 font-mono text-xs">
            {Object.entries(attempt.request_headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </pre>
        </details>
      ) : null}
      {attempt.response_excerpt ? (
        <details open={attempt.response_excerpt.length < ANSWER_SHORT} className="mt-1">
          <summary className="cursor-pointer text-soft text-xs">{t('answer')}</summary>
          <pre className="wrap-anywhere mt-1 whitespace-pre-wrap rounded-lg border bg-surface p-2 font-mono text-xs">
            {attempt.response_excerpt}
          </pre>
        </details>
      ) : null}
    </li>
  );
}
