import type { DataImport } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Page } from '../../../ui/Page.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { sizeInWords } from '../plan/size-words.ts';
import { AdminPage } from '../upkeep/DataScreen.tsx';
import { ArchiveReady } from './ArchiveReady.tsx';
import { CsvReady } from './CsvReady.tsx';
import { Forget } from './Forget.tsx';
import { ImportFailed } from './ImportFailed.tsx';
import { ImportResult } from './ImportResult.tsx';
import { importQuery } from './import-queries.ts';
import { Progress } from './Progress.tsx';
import { useSending } from './send-file.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/import/$importId');

/** One file: uploading, checked, importing, or done. */
export function DataImportScreen() {
  const id = Number(route.useParams().importId);
  const admin = useMay('data');
  const { data, error, refetch } = useQuery({ ...importQuery(id), enabled: admin });
  return (
    <Page
      place={`import-${id}`}
      title={data?.file_name ?? t('title')}
      intro={
        data ? t('one_intro', { kind: t(`kind_${data.kind}`), size: sizeInWords(data.bytes) }) : undefined
      }
      back={{ to: '/settings/import', label: t('all') }}
    >
      <AdminPage admins={admin}>
        {data ? (
          <Standing key={id} one={data} />
        ) : (
          <Waiting error={error} retry={refetch} failed={t('one_failed')} rows={3} />
        )}
      </AdminPage>
    </Page>
  );
}

function Standing({ one }: { one: DataImport }) {
  switch (one.state) {
    case 'sending':
      return <Sent one={one} />;
    case 'looking':
      return <Progress label={t('looking')}>{t('looking_hint')}</Progress>;
    case 'ready':
      if (one.archive) return <ArchiveReady one={one} found={one.archive} />;
      return one.csv && one.kind !== 'archive' ? (
        <CsvReady one={one} kind={one.kind} found={one.csv} />
      ) : null;
    case 'running':
      return (
        <>
          <Progress label={t('running')} done={one.done} total={one.total}>
            {one.csv
              ? t('csv_running_hint', { done: one.done, total: one.total, failed: one.not_taken })
              : t('running_hint', { count: one.taken })}
          </Progress>
          {one.csv ? <Stop one={one} /> : null}
        </>
      );
    case 'failed':
      return <ImportFailed one={one} />;
    case 'done':
      return <ImportResult one={one} />;
  }
}

function Sent({ one }: { one: DataImport }) {
  const sending = useSending(one.id);
  if (sending?.error)
    return (
      <>
        <ErrorNote error={sending.error} title={t('send_failed')} />
        <Forget one={one} />
      </>
    );
  if (!sending)
    return (
      <>
        <p className="max-w-xl">{t('send_broken')}</p>
        <Forget one={one} />
      </>
    );
  return (
    <>
      <Progress label={t('sending')} done={sending.sent} total={sending.bytes}>
        {t('sending_hint', { sent: sizeInWords(sending.sent), size: sizeInWords(sending.bytes) })}
      </Progress>
      <Forget one={one} />
    </>
  );
}

/** Stops between two rows. */
function Stop({ one }: { one: DataImport }) {
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => call('imports.stop', { id: one.id }),
    onSuccess: (stopped) => client.setQueryData(['imports', one.id], stopped),
    onError: (error) => toast.error(t('not_stopped'), error),
  });
  return (
    <Button className="mt-4" busy={stop.isPending} onClick={() => stop.mutate()}>
      {t('stop')}
    </Button>
  );
}
