import type { IdentityProvider, OutputOf } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Lock, LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { Provisioning } from './Provisioning.tsx';
import { identityProvidersQuery } from './provider-queries.ts';
import { inputOf, NEW_PROVIDER, valuesOf } from './provider-values.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/single-sign-on/$providerId');
const BACK = '/settings/single-sign-on';

interface ProviderPageProps {
  place: string;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

function ProviderPage({ children, ...rest }: ProviderPageProps) {
  const admin = useIsAdmin();
  return (
    <Page back={{ to: BACK, label: t('title') }} {...rest}>
      {admin ? children : <Callout icon={<Lock aria-hidden />}>{t('admins_only')}</Callout>}
    </Page>
  );
}

/** Connects an identity provider. */
export function NewProviderScreen() {
  return (
    <ProviderPage place="provider new" title={t('new')}>
      <NewProvider />
    </ProviderPage>
  );
}

type Listed = OutputOf<'identity_providers.list'>;

function NewProvider() {
  const { data, error, refetch } = useQuery(identityProvidersQuery);
  if (!data) return <Waiting error={error} retry={refetch} failed={t('all_failed')} height="h-40" />;
  return <NewForm addresses={data} />;
}

function NewForm({ addresses }: { addresses: Listed }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: NEW_PROVIDER,
    save: (values) => {
      const { name = '', issuer = '', domains = [], ...rest } = inputOf(values);
      return call('identity_providers.create', { kind: values.kind, name, issuer, domains, ...rest });
    },
    onSaved: async ({ id, name }) => {
      await client.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
      toast.success(t('created', { name }));
      const params = { providerId: String(id) };
      await navigate({ to: '/settings/single-sign-on/$providerId', params, ignoreBlocker: true });
    },
  });
  return <ProviderForm form={form} provider={null} addresses={addresses} />;
}

/** One identity provider: whether people can sign in with it, and its settings. */
export function ProviderScreen() {
  const id = Number(route.useParams().providerId);
  const { data, error, refetch } = useQuery({ ...identityProvidersQuery, enabled: useIsAdmin() });
  const provider = data?.providers.find((one) => one.id === id);
  if (data && provider) return <Loaded key={id} provider={provider} listed={data} />;
  return (
    <ProviderPage place="provider" title={t('title_one')}>
      {data ? (
        <Empty icon={<LogIn />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('all_failed')} height="h-40" />
      )}
    </ProviderPage>
  );
}

interface ProviderProps {
  provider: IdentityProvider;
}

function Loaded({ provider, listed }: ProviderProps & { listed: Listed }) {
  return (
    <ProviderPage
      place={`provider ${provider.id}`}
      title={provider.name}
      actions={<DeleteProvider provider={provider} />}
    >
      <Standing provider={provider} />
      <EditForm provider={provider} listed={listed} />
      <Section title={t('link_title')} intro={t('link_intro')}>
        <CopyBox wrap text={provider.sign_in_url} label={t('link_copy')} />
      </Section>
      <Provisioning provider={provider} />
    </ProviderPage>
  );
}

function Standing({ provider: { id, name, enabled } }: ProviderProps) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (on: boolean) => call('identity_providers.update', { id, enabled: on }),
    onSuccess: () => client.invalidateQueries({ queryKey: identityProvidersQuery.queryKey }),
    onError: (error) => toast.error(t('not_saved'), error),
  });
  return (
    <div className="mb-8 max-w-xl rounded-lg border p-4">
      <Toggle
        label={t('accepts')}
        hint={t(enabled ? 'accepts_on' : 'accepts_off', { name })}
        on={enabled}
        busy={change.isPending}
        onChange={(on) => change.mutate(on)}
      />
    </div>
  );
}

function EditForm({ provider, listed }: ProviderProps & { listed: Listed }) {
  const client = useQueryClient();
  const { id } = provider;
  const form = useForm({
    stored: valuesOf(provider),
    save: (values) => call('identity_providers.update', { id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  return <ProviderForm form={form} provider={provider} addresses={listed} />;
}

function DeleteProvider({ provider: { id, name } }: ProviderProps) {
  return (
    <DeleteRecord
      label={t('delete')}
      title={t('delete_ask', { name })}
      action={t('delete_action')}
      done={t('deleted', { name })}
      run={() => call('identity_providers.delete', { id })}
      back={BACK}
      listKey={identityProvidersQuery.queryKey}
    >
      {t('delete_hint')}
    </DeleteRecord>
  );
}
