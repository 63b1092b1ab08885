import type { DataImport, OutputOf } from '@foyer/protocol';
import { CSV_CELLS_MAX, CSV_MAX_BYTES, CSV_ROWS_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../desk/DeskContext.tsx';
import { CopyText } from '../../../ui/Copy.tsx';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { LinkRow } from '../../../ui/rows/LinkRow.tsx';
import { Badge } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminPage } from '../upkeep/DataScreen.tsx';
import { ChooseFile } from './ChooseFile.tsx';
import { importsQuery } from './import-queries.ts';
import { t } from './t.ts';

const csvBounds = (): string =>
  t('csv_bounds', { megabytes: CSV_MAX_BYTES / 1024 ** 2, rows: CSV_ROWS_MAX, columns: CSV_CELLS_MAX });
const CSV_TYPES = '.csv,.tsv,.txt,text/csv,text/plain';

/** What can be imported, and previous imports. */
export function ImportsScreen() {
  const admin = useMay('data');
  return (
    <Page place="settings import" title={t('title')} intro={t('intro')}>
      <AdminPage admins={admin}>
        <Imports />
      </AdminPage>
    </Page>
  );
}

function Imports() {
  const { data, error, refetch } = useQuery(importsQuery);
  if (!data) return <Waiting error={error} retry={refetch} failed={t('list_failed')} rows={3} />;
  return (
    <>
      <ChooseFile kind="visitors" title={t('visitors')} intro={t('visitors_intro')} accept={CSV_TYPES}>
        <p className="text-soft">{csvBounds()}</p>
      </ChooseFile>
      <ChooseFile kind="tickets" title={t('tickets')} intro={t('tickets_intro')} accept={CSV_TYPES}>
        <p className="text-soft">{csvBounds()}</p>
      </ChooseFile>
      {hasRoom(data.there) ? (
        <ChooseFile
          kind="archive"
          title={t('archive')}
          intro={t('archive_intro')}
          accept=".tar.gz,.tgz,.gz,application/gzip"
        >
          <Room there={data.there} />
        </ChooseFile>
      ) : (
        <Section title={t('archive')} intro={t('archive_intro')}>
          <NoRoom archive={data.there.archive} />
        </Section>
      )}
      {data.imports.length > 0 ? (
        <Section title={t('lately')}>
          <Rows label={t('lately')}>
            {data.imports.map((one) => (
              <ImportRow key={one.id} one={one} />
            ))}
          </Rows>
        </Section>
      ) : null}
    </>
  );
}

type There = OutputOf<'imports.list'>['there'];

const hasRoom = ({ archive, counts, is_trial }: There): boolean =>
  archive === 'begun' || (archive === 'none' && (counts.length === 0 || is_trial));

/** What will happen to the site's existing data, before a large file is uploaded. */
function Room({ there }: { there: There }) {
  if (there.archive === 'begun') return <p className="text-warn-text">{t('room_begun')}</p>;
  return <p className="text-soft">{t(there.counts.length === 0 ? 'room_free' : 'room_trial')}</p>;
}

/** Why no archive can be imported, and the alternatives. */
export function NoRoom({ archive }: Pick<There, 'archive'>) {
  return (
    <>
      <p>{t(archive === 'done' ? 'room_done' : 'room_none')}</p>
      <p className="mt-2">{t('new_site')}</p>
      <CopyText text={t('new_site_command')} label={t('copy_command')} />
    </>
  );
}

const TONES = {
  sending: 'accent',
  looking: 'accent',
  ready: 'warn',
  running: 'accent',
  done: 'good',
  failed: 'danger',
} as const satisfies Record<DataImport['state'], string>;

function ImportRow({ one }: { one: DataImport }) {
  return (
    <li>
      <LinkRow to="/settings/import/$importId" params={{ importId: String(one.id) }}>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">
            <bdi>{one.file_name}</bdi>
          </span>
          <span className="block truncate text-soft text-xs">
            {t.rich('row_about', {
              kind: t(`kind_${one.kind}`),
              name: one.agent.name,
              when: <Ago words utc={one.created_utc} />,
            })}
          </span>
        </span>
        <Badge tone={TONES[one.state]}>{t(`state_${one.state}`)}</Badge>
      </LinkRow>
    </li>
  );
}
