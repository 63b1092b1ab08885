import type { SiteArchive } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, PackageOpen } from 'lucide-react';
import { call } from '../../../api.ts';
import { exact } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Section } from '../../../ui/Page.tsx';
import { sizeInWords } from '../plan/size-words.ts';
import { t } from './t.ts';

const ARCHIVE_KEY = ['site_archive'];
const LOOK_MS = 2_000;

/** The site's data as one file. */
export function Archive() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ARCHIVE_KEY,
    queryFn: ({ signal }) => call('site_archives.get', {}, signal),
    refetchInterval: ({ state }) => (state.data?.archive?.state === 'making' ? LOOK_MS : false),
  });
  const make = useMutation({
    mutationFn: () => call('site_archives.create', {}),
    onSuccess: (made) => client.setQueryData(ARCHIVE_KEY, made),
  });
  const archive = data?.archive;
  const failed = make.error ?? error;
  return (
    <Section title={t('archive_title')} intro={t('archive_intro')}>
      {archive ? <Standing archive={archive} /> : null}
      {archive?.state === 'making' ? null : (
        <Button
          icon={<PackageOpen aria-hidden className="size-4" />}
          busy={make.isPending}
          onClick={() => make.mutate()}
        >
          {archive ? t('archive_again') : t('archive_make')}
        </Button>
      )}
      {failed ? <ErrorNote error={failed} title={t('archive_not_made')} className="mt-3" /> : null}
      <p className="mt-4 max-w-xl text-soft">
        {t.rich('archive_import', {
          place: (
            <Link to="/settings/import" className="text-accent-text underline">
              {t('archive_import_place')}
            </Link>
          ),
        })}
      </p>
    </Section>
  );
}

function Standing({ archive }: { archive: SiteArchive }) {
  const { state, done, total, records, bytes, expires_utc, url } = archive;
  if (state === 'failed') return <p className="mb-3 text-danger-text">{t('archive_too_large')}</p>;
  if (state === 'making' || url === null)
    return (
      <div role="status" className="mb-3 max-w-xl">
        <p>{t('archive_making', { done, total, count: records })}</p>
        <progress value={done} max={total} aria-label={t('archive_title')} className="mt-2 h-2 w-full" />
      </div>
    );
  return (
    <div role="status" className="mb-4">
      <p>{t('archive_ready', { count: records, size: sizeInWords(bytes) })}</p>
      <a
        href={url}
        download
        className="mt-2 inline-flex h-9 items-center gap-2 rounded-lg bg-accent px-3 font-medium text-on-accent hover:bg-accent-strong max-md:h-11"
      >
        <Download aria-hidden className="size-4" />
        {t('archive_download')}
      </a>
      <p className="mt-2 text-soft text-xs">{t('archive_until', { time: exact(expires_utc) })}</p>
    </div>
  );
}
