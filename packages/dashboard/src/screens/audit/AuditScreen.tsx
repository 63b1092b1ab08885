import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { agentsQuery } from '../../queries.ts';
import { datedName, saveParts } from '../../save-parts.ts';
import { ExportButton } from '../../ui/ExportButton.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Callout, Empty } from '../../ui/States.tsx';
import { isSince, SINCE_CHOICES } from '../settings/webhooks/delivery-filter.ts';
import { AuditRow } from './AuditRow.tsx';
import { type AuditFilter, auditQuery, filterInput, isSubject, SUBJECTS } from './audit-filter.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/audit');

/** The audit log, newest first, with filters in the address. */
export function AuditScreen() {
  const admin = useMay('audit');
  return (
    <Page
      place="settings audit"
      title={t('title')}
      intro={t('intro')}
      actions={admin ? <Export /> : null}
      tools={admin ? <Filters /> : null}
    >
      {admin ? <Log /> : <Callout icon={<ScrollText aria-hidden />}>{t('admins_only')}</Callout>}
    </Page>
  );
}

function Log() {
  const filter = route.useSearch();
  const list = useInfiniteQuery(auditQuery(filter));
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <PagedList
      list={list}
      count={entries.length}
      label={t('title')}
      failed={t('failed')}
      empty={
        <Empty icon={<ScrollText />} title={isFiltered ? t('none') : t('empty')}>
          {isFiltered ? t('none_hint') : t('empty_hint')}
        </Empty>
      }
    >
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} />
      ))}
    </PagedList>
  );
}

function Filters() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const { data: team } = useQuery(agentsQuery);
  const set = (change: { [K in keyof AuditFilter]?: AuditFilter[K] | undefined }): void => {
    const { agent, subject, since } = { ...filter, ...change };
    const search = {
      ...(agent ? { agent } : {}),
      ...(subject ? { subject } : {}),
      ...(since ? { since } : {}),
    };
    void navigate({ search, replace: true });
  };
  return (
    <>
      <SelectField
        label={t('who')}
        frame="min-w-32 flex-1"
        value={filter.agent ?? ''}
        onChange={({ target }) => set({ agent: Number(target.value) || undefined })}
        any={t('anybody')}
        options={team?.agents.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      <SelectField
        label={t('kind')}
        frame="min-w-32 flex-1"
        value={filter.subject ?? ''}
        onChange={({ target }) => set({ subject: isSubject(target.value) ? target.value : undefined })}
        any={t('all_kinds')}
        options={Object.keys(SUBJECTS)
          .filter(isSubject)
          .map((subject) => ({ value: subject, label: t(`subject_${subject}`) }))}
      />
      <SelectField
        label={t('since')}
        frame="min-w-32 flex-1"
        value={filter.since ?? ''}
        onChange={({ target }) => set({ since: isSince(target.value) ? target.value : undefined })}
        any={t('ever')}
        options={SINCE_CHOICES.map((since) => ({ value: since, label: t(`since_${since}`) }))}
      />
    </>
  );
}

const saveAudit = (filter: AuditFilter): Promise<void> =>
  saveParts<number>(datedName('audit', 'csv'), 'text/csv', (after) =>
    call('audit.export', { ...filterInput(filter), ...after }),
  );

function Export() {
  const filter = route.useSearch();
  return <ExportButton label={t('export')} failed={t('export_failed')} save={() => saveAudit(filter)} />;
}
