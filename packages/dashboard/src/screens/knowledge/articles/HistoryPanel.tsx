import type { ArticleVersion } from '@foyer/protocol';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { call, callPage } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, SidePanel } from '../../../ui/dialogs/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { PagedList } from '../../../ui/rows/PagedList.tsx';
import { Bone, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { t } from '../t.ts';
import { TextDiff } from './TextDiff.tsx';

/** Who did what. */
const Deed = ({ of: { author, cause } }: { of: ArticleVersion }) =>
  t.rich(`cause_${cause}`, { name: <bdi className="font-medium">{author.name}</bdi> });

interface HistoryPanelProps {
  articleId: number;
  /** The article's version, so that nothing newer is overwritten. */
  version: number;
  open: boolean;
  onClose: () => void;
  onRestored: () => void;
}

/** An article's versions with author and time, and how to restore them. */
export function HistoryPanel({ articleId, version, open, onClose, onRestored }: HistoryPanelProps) {
  const [seen, setSeen] = useState<ArticleVersion | null>(null);
  const list = useInfiniteQuery({
    queryKey: ['articles', 'versions', articleId, version],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'article_versions.list',
        { article_id: articleId, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: open,
  });
  const versions = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <SidePanel open={open} onClose={onClose} title={t('history')}>
        <div className="p-4">
          <PagedList
            list={list}
            count={versions.length}
            label={t('versions')}
            failed={t('history_failed')}
            empty={
              <Empty icon={<History />} title={t('history_none')}>
                {t('history_none_hint')}
              </Empty>
            }
          >
            {versions.map((one, at) => (
              <VersionRow key={one.number} version={one} isNow={at === 0} onOpen={() => setSeen(one)} />
            ))}
          </PagedList>
        </div>
      </SidePanel>
      {seen ? (
        <VersionDialog
          articleId={articleId}
          version={version}
          seen={seen}
          isNow={seen.number === versions[0]?.number}
          onClose={() => setSeen(null)}
          onRestored={() => {
            setSeen(null);
            onClose();
            onRestored();
          }}
        />
      ) : null}
    </>
  );
}

interface VersionRowProps {
  version: ArticleVersion;
  isNow: boolean;
  onOpen: () => void;
}

function VersionRow({ version, isNow, onOpen }: VersionRowProps) {
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="-outline-offset-2 block w-full px-4 py-2.5 text-start hover:bg-hover"
      >
        <span className="wrap-anywhere block">
          <Deed of={version} />
        </span>
        <span className="block text-faint text-xs">
          {isNow ? `${t('version_now')} · ` : ''}
          {t(`status_${version.status}`)} · <Ago words utc={version.created_utc} />
        </span>
      </button>
    </li>
  );
}

interface VersionDialogProps {
  articleId: number;
  version: number;
  seen: ArticleVersion;
  isNow: boolean;
  onClose: () => void;
  onRestored: () => void;
}

function VersionDialog({ articleId, version, seen, isNow, onClose, onRestored }: VersionDialogProps) {
  const text = (number: number) => ({
    queryKey: ['articles', 'version', articleId, number],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('article_versions.get', { article_id: articleId, number }, signal),
    retry: false,
  });
  const then = useQuery(text(seen.number));
  // The first version, and one whose predecessor was deleted, is compared with nothing.
  const before = useQuery({ ...text(seen.number - 1), enabled: seen.number > 1 });
  const restore = useMutation({
    mutationFn: () =>
      call('article_versions.restore', { article_id: articleId, number: seen.number, base_version: version }),
    onSuccess: onRestored,
  });
  const mayWrite = useMay('articles');
  const loading = then.isPending || (seen.number > 1 && before.isPending);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('version', { number: seen.number, title: seen.title })}
      foot={
        <>
          <Button onClick={onClose}>{tCommon('close')}</Button>
          {isNow || !mayWrite ? null : (
            <Button look="primary" busy={restore.isPending} onClick={() => restore.mutate()}>
              {t('version_restore')}
            </Button>
          )}
        </>
      }
    >
      <p className="mb-3 text-soft">
        <Deed of={seen} />
        {' · '}
        <Ago words utc={seen.created_utc} />
        {' · '}
        {t(`status_${seen.status}`)}
        {seen.category ? ` · ${seen.category}` : ''}
      </p>
      {restore.error ? (
        <ErrorNote error={restore.error} title={t('version_restore_failed')} className="mb-3" />
      ) : null}
      {then.error ? (
        <ErrorNote error={then.error} title={t('version_failed')} />
      ) : loading ? (
        <Bone className="late pulse-soft h-40" />
      ) : (
        <TextDiff before={before.data?.body ?? ''} after={then.data?.body ?? ''} />
      )}
    </Dialog>
  );
}
