import type { Segment } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Shapes } from 'lucide-react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { t } from '../t.ts';
import { VisitorTabs } from '../VisitorTabs.tsx';
import { segmentsQuery } from '../visitor-queries.ts';
import { ruleSentence } from './rule-words.ts';

/** How often to check whether a rule has been applied to all visitors. */
const FILLING_MS = 2_000;

/** The segments with their sizes. */
export function SegmentsScreen() {
  const { data, error, refetch } = useQuery({
    ...segmentsQuery,
    refetchInterval: ({ state }) => (state.data?.items.some(({ ready }) => !ready) ? FILLING_MS : false),
  });
  const segments = data?.items ?? [];
  const add = useMay('shared') ? <New /> : null;
  return (
    <Page
      wide
      place="segments"
      title={t('visitors')}
      intro={t('segments_intro')}
      tabs={<VisitorTabs />}
      actions={segments.length > 0 ? add : null}
    >
      {data ? null : <Waiting error={error} retry={refetch} failed={t('segments_not_loaded')} />}
      {data && segments.length === 0 ? (
        <Empty icon={<Shapes />} title={t('segments_none')} action={add}>
          {t('segments_none_hint')}
        </Empty>
      ) : null}
      {segments.length > 0 ? (
        <Rows label={t('tab_segments')}>
          {segments.map((segment) => (
            <Row key={segment.id} segment={segment} />
          ))}
        </Rows>
      ) : null}
    </Page>
  );
}

const New = () => (
  <Link to="/visitors/segments/new" className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('segment_new')}
  </Link>
);

const Row = ({ segment }: { segment: Segment }) => (
  <li className="flex min-h-14 items-center gap-4 px-4 py-2">
    <div className="min-w-0 flex-1">
      <Link
        to="/visitors/segments/$segmentId"
        params={{ segmentId: String(segment.id) }}
        className="block truncate font-medium hover:underline"
      >
        <bdi>{segment.name}</bdi>
      </Link>
      <p className="line-clamp-2 wrap-anywhere text-soft text-xs">{ruleSentence(segment.rule)}</p>
    </div>
    <Link
      to="/visitors"
      search={{ segment: segment.id }}
      className="tabular shrink-0 text-end text-accent-text hover:underline"
    >
      {t('count_visitors', { count: segment.size })}
      {segment.ready ? null : <span className="block text-soft text-xs">{t('segment_filling')}</span>}
    </Link>
  </li>
);
