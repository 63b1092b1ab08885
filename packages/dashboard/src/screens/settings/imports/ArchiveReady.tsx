import type { ArchiveFound, DataImport, SiteRecordKind } from '@foyer/protocol';
import { ARCHIVE_KINDS } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { exact } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Section } from '../../../ui/Page.tsx';
import { Callout, ListBones } from '../../../ui/States.tsx';
import { Forget } from './Forget.tsx';
import { NoRoom } from './ImportsScreen.tsx';
import { importsQuery } from './import-queries.ts';
import { t } from './t.ts';
import { useStart } from './use-start.ts';

/** What an archive contains and what importing it will do. */
export function ArchiveReady({ one, found }: { one: DataImport; found: ArchiveFound }) {
  return (
    <>
      <Callout icon={<CircleCheck aria-hidden />}>
        <p className="font-medium">{t('found_site', { name: found.site_name })}</p>
        <p className="text-soft">
          {t('found_made', { time: found.made_utc ? exact(found.made_utc) : '', version: found.foyer })}
        </p>
      </Callout>
      <dl className="tabular mt-4 grid max-w-xl grid-cols-2 gap-x-6 gap-y-1 sm:grid-cols-3">
        {ARCHIVE_KINDS.map((kind) => (
          <div key={kind} className="flex justify-between gap-3 border-b py-1">
            <dt className="text-soft">{t(`has_${kind}`)}</dt>
            <dd className="font-medium">{t('number', { number: found.counts[kind] ?? 0 })}</dd>
          </div>
        ))}
      </dl>
      <Section title={t('will_title')}>
        <ul className="max-w-xl list-disc space-y-1 ps-5">
          <li>{t('will_settings', { name: found.site_name })}</li>
          <li>{t('will_agents')}</li>
          <li>{t('will_open')}</li>
          <li>{t('will_secrets')}</li>
          <li>{t('will_quiet')}</li>
        </ul>
      </Section>
      <Begin one={one} />
    </>
  );
}

function Begin({ one }: { one: DataImport }) {
  const [asking, setAsking] = useState(false);
  const { data, error } = useQuery(importsQuery);
  const start = useStart(one.id);
  if (error) return <ErrorNote error={error} className="mt-6" />;
  if (!data) return <ListBones rows={1} face={false} />;
  const { counts, is_trial, archive } = data.there;
  const has = archive === 'none' && counts.length > 0;
  if (archive === 'done' || (has && !is_trial))
    return (
      <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
        <NoRoom archive={archive} />
        <Forget one={one} />
      </Callout>
    );
  return (
    <div className="mt-6">
      {has ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          <p className="font-medium">{t('trial_goes')}</p>
          <Things things={counts} />
        </Callout>
      ) : null}
      {start.error && !asking ? (
        <ErrorNote error={start.error} title={t('not_begun')} className="mt-3" />
      ) : null}
      <div className="mt-4 flex flex-wrap items-end gap-2">
        <Button
          look="primary"
          busy={start.isPending}
          onClick={() => (has ? setAsking(true) : start.mutate({}))}
        >
          {t('put_in')}
        </Button>
        <Forget one={one} />
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('trial_ask')}
        action={t('trial_do')}
        busy={start.isPending}
        error={start.error}
        onConfirm={() => start.mutate({ replace: true })}
      >
        <Things things={counts} />
        <p className="mt-2">{t('trial_for_good')}</p>
      </Confirm>
    </div>
  );
}

function Things({ things }: { things: { kind: SiteRecordKind; count: number }[] }) {
  return (
    <ul className="list-disc ps-5">
      {things.map(({ kind, count }) => (
        <li key={kind}>{t(`there_${kind}`, { count })}</li>
      ))}
    </ul>
  );
}
