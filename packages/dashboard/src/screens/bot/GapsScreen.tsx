import type { Gap, GapState, OutputOf } from '@foyer/protocol';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, MessageSquare, PenLine } from 'lucide-react';
import { useId, useState } from 'react';
import { call } from '../../api.ts';
import { tCommon } from '../../t-common.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { Segments } from '../../ui/forms/Segments.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { KnowledgeTabs } from '../knowledge/KnowledgeTabs.tsx';
import { gapQuery, gapsQuery } from './bot-queries.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/gaps');

const STATES: readonly GapState[] = ['open', 'dismissed', 'solved'];

/** What visitors ask and no article says. */
export function GapsScreen() {
  const { state = 'open' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(gapsQuery(state));
  const gaps = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      wide
      place={`gaps ${state}`}
      title={tCommon('nav_knowledge')}
      intro={t('gaps_intro')}
      tabs={<KnowledgeTabs />}
      tools={
        <Segments
          label={t('show')}
          value={state}
          options={STATES.map((value) => ({ value, label: t(`gaps_${value}`) }))}
          onChange={(next) =>
            void navigate({ search: next === 'open' ? {} : { state: next }, replace: true })
          }
        />
      }
    >
      <PagedList
        list={list}
        count={gaps.length}
        label={t('gaps')}
        failed={t('gaps_failed')}
        empty={
          <Empty icon={<CircleCheck />} title={t(`nothing_${state}`)}>
            {t(`nothing_${state}_hint`)}
          </Empty>
        }
      >
        {gaps.map((gap) => (
          <GapRow key={gap.id} gap={gap} />
        ))}
      </PagedList>
    </Page>
  );
}

function GapRow({ gap }: { gap: Gap }) {
  const [open, setOpen] = useState(false);
  const insideId = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={insideId}
        onClick={() => setOpen(!open)}
        className="-outline-offset-2 flex min-h-14 w-full items-center gap-3 px-4 py-2 text-start hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-4 shrink-0 text-soft', open ? 'rotate-90' : 'rtl:rotate-180')}
        />
        <span className="min-w-0 flex-1">
          <span className={cx('block font-medium', !open && 'truncate')} dir="auto">
            {gap.question}
          </span>
          <span className="block text-soft">
            {t.rich('gap_asked', { count: gap.asked, ago: <Ago words utc={gap.last_asked_utc} /> })}
          </span>
        </span>
      </button>
      <div id={insideId}>{open ? <GapInside gap={gap} /> : null}</div>
    </li>
  );
}

function useGapState(gap: Gap) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (to: 'dismiss' | 'reopen') =>
      call(to === 'dismiss' ? 'gaps.dismiss' : 'gaps.reopen', { id: gap.id }),
    onSuccess: async (_, to) => {
      await client.invalidateQueries({ queryKey: ['gaps'] });
      toast.success(t(to === 'dismiss' ? 'gap_was_dismissed' : 'gap_was_reopened'));
    },
    onError: (error) => toast.error(t('gap_unchanged'), error),
  });
}

function Examples({ gap }: { gap: OutputOf<'gaps.get'> }) {
  return (
    <ul aria-label={t('gap_asked_as')} className="space-y-1">
      {gap.examples.map((example) => (
        <li key={`${example.session_id} ${example.seq}`}>
          <Link
            to="/inbox/$sessionId"
            params={{ sessionId: example.session_id }}
            className="flex items-start gap-2 rounded-md py-0.5 hover:underline"
          >
            <MessageSquare aria-hidden className="mt-0.5 size-4 shrink-0 text-soft" />
            <span className="wrap-anywhere min-w-0 flex-1" dir="auto">
              {example.question}
            </span>
            <span className="shrink-0 text-faint text-xs">
              <bdi>{example.visitor_name ?? t('gap_visitor')}</bdi>, <Ago utc={example.asked_utc} />
            </span>
          </Link>
        </li>
      ))}
      {gap.asked > gap.examples.length ? (
        <li className="text-faint text-xs">{t('gap_older', { count: gap.asked - gap.examples.length })}</li>
      ) : null}
    </ul>
  );
}

function GapInside({ gap }: { gap: Gap }) {
  const { data, error, refetch } = useQuery(gapQuery(gap.id));
  const change = useGapState(gap);
  return (
    <div className="space-y-3 pt-2 pe-4 pb-4 ps-11">
      {data ? (
        <Examples gap={data} />
      ) : (
        <Waiting error={error} retry={refetch} failed={t('questions_failed')} height="h-6 w-3/4" />
      )}
      {gap.article ? (
        <p className="text-soft">
          {t.rich('gap_answered', {
            article: (
              <Link
                to="/knowledge/$articleId"
                params={{ articleId: String(gap.article.id) }}
                className="text-accent-text underline"
              >
                <bdi>{gap.article.title}</bdi>
              </Link>
            ),
          })}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {gap.state === 'solved' ? null : (
          <Link to="/knowledge/new" search={{ gap: gap.id }} className={buttonLook('primary', true)}>
            <PenLine aria-hidden className="size-4" />
            {t('gap_write')}
          </Link>
        )}
        {gap.state === 'open' ? (
          <Button small busy={change.isPending} onClick={() => change.mutate('dismiss')}>
            {t('gap_dismiss')}
          </Button>
        ) : (
          <Button small busy={change.isPending} onClick={() => change.mutate('reopen')}>
            {t('gap_reopen')}
          </Button>
        )}
      </div>
    </div>
  );
}
