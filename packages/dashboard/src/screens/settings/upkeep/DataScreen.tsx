import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { Archive } from './Archive.tsx';
import { KindRow } from './KindRow.tsx';
import { ProcessingRecord } from './ProcessingRecord.tsx';
import { RETENTION_KEY } from './retention-query.ts';
import { t } from './t.ts';

/** What is due changes over time. */
const FRESH_MS = 30_000;

/** A page only for admins; other agents see a notice. */
export function AdminPage({ admins, children }: { admins: boolean; children: ReactNode }) {
  return admins ? children : <Callout icon={<Lock aria-hidden />}>{t('admins_only')}</Callout>;
}

/** How long each kind of data is kept. */
export function DataScreen() {
  const admin = useMay('data');
  return (
    <Page place="settings data" title={t('data_title')} intro={t('data_intro')}>
      <AdminPage admins={admin}>
        <Kinds />
        <ProcessingRecord />
        <Archive />
      </AdminPage>
    </Page>
  );
}

function Kinds() {
  const { data, error, refetch } = useQuery({
    queryKey: RETENTION_KEY,
    queryFn: ({ signal }) => call('retention.get', {}, signal),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  if (!data) return <Waiting error={error} retry={refetch} failed={t('data_failed')} rows={8} />;
  return (
    <Rows label={t('data_title')}>
      {data.kinds.map((state) => (
        <KindRow key={state.kind} state={state} />
      ))}
    </Rows>
  );
}
