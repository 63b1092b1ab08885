import type { Feedback, ReportSpan } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { visitorName } from '../../words.ts';
import { Stars } from '../inbox/chat/Stars.tsx';
import { commentsQuery } from './report-queries.ts';
import { t } from './t.ts';

/** The individual ratings, newest first; each links to its chat. */
export function Comments({ span, rating }: { span: ReportSpan; rating: number | undefined }) {
  const navigate = useNavigate({ from: '/reports' });
  const list = useInfiniteQuery(commentsQuery(span, rating));
  const ratings = list.data?.pages.flatMap((page) => page.items) ?? [];
  const choose = (value: string): void => {
    const next = value === '' ? undefined : Number(value);
    void navigate({
      search: ({ rating: _, ...search }) => ({ ...search, ...(next ? { rating: next } : {}) }),
    });
  };
  return (
    <Section
      title={t('comments')}
      actions={
        <SelectField
          bare
          label={t('comments_rating')}
          frame="w-44"
          value={rating ?? ''}
          onChange={(event) => choose(event.target.value)}
          any={t('comments_all')}
          options={[5, 4, 3, 2, 1].map((count) => ({ value: count, label: t('stars', { count }) }))}
        />
      }
    >
      <PagedList
        list={list}
        count={ratings.length}
        label={t('comments')}
        failed={t('comments_failed')}
        bones={{ rows: 4 }}
        empty={
          <Empty icon={<Star />} title={t('comments_none')}>
            {t('comments_none_hint')}
          </Empty>
        }
      >
        {ratings.map((one) => (
          <Comment key={one.id} feedback={one} />
        ))}
      </PagedList>
    </Section>
  );
}

function Comment({ feedback }: { feedback: Feedback }) {
  const { rating, comment, visitor, agent, session_id, created_utc } = feedback;
  const name = <bdi key="name">{visitorName(visitor)}</bdi>;
  return (
    <li className="[contain-intrinsic-size:auto_56px] [content-visibility:auto]">
      <Link
        to="/inbox/$sessionId"
        params={{ sessionId: session_id }}
        search={{ queue: 'closed' }}
        className="-outline-offset-2 flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover"
      >
        <span className="w-36 shrink-0">
          <Stars rating={rating} />
        </span>
        <span className="min-w-0 flex-1 basis-60">
          <span className={comment ? 'wrap-anywhere block' : 'block text-faint'} dir="auto">
            {comment ?? t('comment_none')}
          </span>
          <span className="block truncate text-soft text-xs">
            {agent
              ? t.rich('comment_agent', { visitor: name, agent: <bdi key="agent">{agent.name}</bdi> })
              : t.rich('comment_bot', { visitor: name })}
          </span>
        </span>
        <Ago utc={created_utc} className="text-faint text-xs" />
      </Link>
    </li>
  );
}
