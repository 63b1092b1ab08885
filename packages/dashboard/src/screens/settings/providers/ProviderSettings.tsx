import type { IdentityProvider } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Lock, LogIn, Plus } from 'lucide-react';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { LinkRow } from '../../../ui/rows/LinkRow.tsx';
import { Badge, Callout, Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { identityProvidersQuery } from './provider-queries.ts';
import { t } from './t.ts';

const NewProvider = () => (
  <Link to="/settings/single-sign-on/new" className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The identity providers that the team signs in with. */
export function ProviderSettings() {
  const admin = useIsAdmin();
  if (admin) return <Providers />;
  return (
    <Page place="settings single-sign-on" title={t('title')} intro={t('intro')}>
      <Callout icon={<Lock aria-hidden />}>{t('admins_only')}</Callout>
    </Page>
  );
}

function Providers() {
  const { data, error, refetch } = useQuery(identityProvidersQuery);
  const list = data?.providers;
  return (
    <Page
      place="settings single-sign-on"
      title={t('title')}
      intro={t('intro')}
      actions={list && list.length > 0 ? <NewProvider /> : null}
    >
      {!list ? (
        <Waiting error={error} retry={refetch} failed={t('all_failed')} rows={2} />
      ) : list.length === 0 ? (
        <Empty icon={<LogIn />} title={t('empty')} action={<NewProvider />}>
          {t('empty_hint')}
        </Empty>
      ) : (
        <Rows label={t('title')}>
          {list.map((provider) => (
            <Row key={provider.id} provider={provider} />
          ))}
        </Rows>
      )}
    </Page>
  );
}

function Row({
  provider: { id, name, issuer, domains, enabled, refuses_passwords },
}: {
  provider: IdentityProvider;
}) {
  return (
    <li>
      <LinkRow to="/settings/single-sign-on/$providerId" params={{ providerId: String(id) }}>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-soft text-xs" dir="ltr">
            {[...domains, issuer].join(' · ')}
          </span>
        </span>
        {enabled && refuses_passwords ? <Badge>{t('only_provider')}</Badge> : null}
        {enabled ? <Badge tone="good">{t('enabled')}</Badge> : <Badge tone="warn">{t('disabled')}</Badge>}
      </LinkRow>
    </li>
  );
}
