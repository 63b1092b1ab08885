import type { VisitorDetail } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Eraser, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { visitorQuery } from '../../queries.ts';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Bone, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { say } from '../../ui/toast-store.ts';
import { valueText, visitorName } from '../../words.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/visitors/$key');

/** One visitor: what the site told about them, and what they did. */
export function VisitorScreen() {
  const { key } = route.useParams();
  const { data, error, refetch } = useQuery(visitorQuery(key));
  if (data) return <Profile visitor={data} />;
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <Empty icon={<UserX />} title={t('no_visitor')}>
        {t('no_visitor_hint')}
      </Empty>
    );
  }
  return (
    <Page place={`visitor ${key}`} title={t('visitor')}>
      {error ? (
        <ErrorNote error={error} title={t('visitor_not_loaded')} onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-40" />
      )}
    </Page>
  );
}

function Profile({ visitor }: { visitor: VisitorDetail }) {
  const [erasing, setErasing] = useState(false);
  const admin = useIsAdmin();
  const attributes = Object.entries(visitor.attributes);
  return (
    <Page
      place={`visitor ${visitor.key}`}
      title={visitorName(visitor)}
      back={{ to: '/visitors', label: t('all_visitors') }}
      actions={
        admin ? (
          <Menu
            label={t('more')}
            items={[
              {
                label: t('erase'),
                icon: <Eraser aria-hidden />,
                danger: true,
                onSelect: () => setErasing(true),
              },
            ]}
          />
        ) : null
      }
    >
      <Section title={t('who')}>
        <Facts>
          <Fact name={t('fact_name')}>{visitor.name ?? '—'}</Fact>
          <Fact name={t('fact_email')}>{visitor.email ?? '—'}</Fact>
          <Fact name={t('fact_key')}>
            <code className="font-mono text-[13px]">{visitor.key}</code>
          </Fact>
          <Fact name={t('fact_first')}>
            <Ago words utc={visitor.first_seen_utc} />
          </Fact>
          <Fact name={t('fact_last')}>
            <Ago words utc={visitor.last_seen_utc} />
          </Fact>
          {visitor.segments.length > 0 ? (
            <Fact name={t('fact_segments')}>
              {visitor.segments.map((segment) => (
                <Badge key={segment}>{segment}</Badge>
              ))}
            </Fact>
          ) : null}
        </Facts>
      </Section>
      <Section title={t('attributes')} intro={attributes.length === 0 ? undefined : t('attributes_hint')}>
        {attributes.length === 0 ? (
          <p className="text-soft">{t('attributes_none', { call: "svc('identify', …)" })}</p>
        ) : (
          <Facts>
            {attributes.map(([name, value]) => (
              <Fact key={name} name={name}>
                {valueText(value)}
              </Fact>
            ))}
          </Facts>
        )}
      </Section>
      <Section
        title={t('events')}
        intro={visitor.event_count === 0 ? undefined : t('events_hint', { count: visitor.event_count })}
      >
        {visitor.recent_events.length === 0 ? (
          <p className="text-soft">{t('events_none', { call: "svc('track', …)" })}</p>
        ) : (
          <Rows label={t('events')}>
            {visitor.recent_events.map((event) => (
              <li key={event.event_id} className="flex items-baseline gap-4 px-4 py-2.5">
                <span className="min-w-0 max-w-[40%] truncate font-medium">{event.name}</span>
                <span className="min-w-0 flex-1 truncate text-soft">
                  {Object.entries(event.properties)
                    .map(([name, value]) => `${name}: ${valueText(value)}`)
                    .join(' · ')}
                </span>
                <Ago utc={event.created_utc} className="text-faint text-xs" />
              </li>
            ))}
          </Rows>
        )}
      </Section>
      <Erase visitor={visitor} open={erasing} onClose={() => setErasing(false)} />
    </Page>
  );
}

function Erase({ visitor, open, onClose }: { visitor: VisitorDetail; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const erase = useMutation({
    mutationFn: () => call('visitors.erase', { key: visitor.key }),
    onSuccess: () => {
      void navigate({ to: '/visitors' });
      client.removeQueries({ queryKey: visitorQuery(visitor.key).queryKey });
      void client.invalidateQueries({ queryKey: ['visitors', 'list'] });
      say(t('erased'));
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('erase_question', { name: visitorName(visitor) })}
      action={t('erase_do')}
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
    >
      {t('erase_detail', { count: visitor.event_count })}
    </Confirm>
  );
}

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="divide-y rounded-lg border">{children}</dl>
);

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-start gap-4 px-4 py-2.5">
      <dt className="w-32 shrink-0 truncate text-soft sm:w-44" title={name}>
        {name}
      </dt>
      <dd className="wrap-anywhere flex min-w-0 flex-1 flex-wrap gap-1">{children}</dd>
    </div>
  );
}
