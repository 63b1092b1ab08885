import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { feedbackQuery, usageQuery } from '../../queries.ts';
import { dateOf } from '../../times.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { Bone, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { count, visitorName } from '../../words.ts';
import { Stars } from '../inbox/Stars.tsx';

/** What the bot did in this cycle, and what visitors thought. */
export function ReportsScreen() {
  return (
    <Page
      wide
      place="reports"
      title="Reports"
      intro="Counted from what really happened; nothing is estimated."
    >
      <Usage />
      <Feedback />
    </Page>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: ReactNode }) {
  return (
    <div className="min-w-0 rounded-lg border p-4">
      <dt className="text-soft">{name}</dt>
      <dd>
        <span className="tabular mt-1 block truncate font-semibold text-2xl">{value}</span>
        {note ? <span className="block text-soft text-xs">{note}</span> : null}
      </dd>
    </div>
  );
}

function Usage() {
  const { data, error, refetch } = useQuery(usageQuery);
  return (
    <Section
      title="This cycle"
      intro={
        data
          ? `${dateOf(data.cycle_start_utc)} to ${dateOf(data.cycle_end_utc)}, ${data.plan} plan.`
          : undefined
      }
    >
      {error && !data ? (
        <ErrorNote error={error} title="The usage could not be loaded." onRetry={() => void refetch()} />
      ) : data ? (
        <dl className="grid gap-3 sm:grid-cols-3">
          <Figure name="Answers by the bot" value={data.ai_replies.toLocaleString()} />
          <Figure
            name="Tokens"
            value={data.bot_tokens.toLocaleString()}
            note={
              data.bot_tokens === 0
                ? 'The built-in bot uses none.'
                : `${data.bot_tokens_input.toLocaleString()} read, ${data.bot_tokens_output.toLocaleString()} written`
            }
          />
          <Figure
            name="Agents"
            value={data.agents.toLocaleString()}
            note={
              data.agent_limit === null
                ? 'No limit in this plan.'
                : `of ${data.agent_limit} in the ${data.plan} plan`
            }
          />
        </dl>
      ) : (
        <Bone className="late pulse-soft h-24" />
      )}
    </Section>
  );
}

function Feedback() {
  const list = useInfiniteQuery(feedbackQuery);
  const ratings = list.data?.pages.flatMap((page) => page.items) ?? [];
  const average = ratings.reduce((sum, one) => sum + one.rating, 0) / Math.max(1, ratings.length);
  return (
    <Section title="Ratings" intro="What visitors gave after their chats, the newest first.">
      <PagedList
        list={list}
        count={ratings.length}
        label="Ratings"
        failed="The ratings could not be loaded."
        bones={{ rows: 4, face: false }}
        head={
          <Summary average={average} ratings={ratings.map((one) => one.rating)} all={!list.hasNextPage} />
        }
        empty={
          <Empty icon={<Star />} title="No ratings yet">
            When a chat is closed, its visitor is asked for one to five stars and a comment.
          </Empty>
        }
      >
        {ratings.map((one) => (
          <li key={one.id} className="[contain-intrinsic-size:auto_56px] [content-visibility:auto]">
            <Link
              to="/inbox/$sessionId"
              params={{ sessionId: one.session_id }}
              search={{ queue: 'closed' }}
              className="-outline-offset-2 flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover"
            >
              <span className="w-36 shrink-0">
                <Stars rating={one.rating} />
              </span>
              <span className="min-w-0 flex-1 basis-60">
                <span className={one.comment ? 'wrap-anywhere block' : 'block text-faint'} dir="auto">
                  {one.comment ?? 'Without a comment'}
                </span>
                <span className="block truncate text-soft text-xs">
                  <bdi>{visitorName(one.visitor)}</bdi>
                  {one.agent ? ` · answered by ${one.agent.name}` : ' · answered by the bot'}
                </span>
              </span>
              <Ago utc={one.created_utc} className="text-faint text-xs" />
            </Link>
          </li>
        ))}
      </PagedList>
    </Section>
  );
}

function Summary({ average, ratings, all }: { average: number; ratings: number[]; all: boolean }) {
  const most = Math.max(1, ...[1, 2, 3, 4, 5].map((stars) => ratings.filter((one) => one === stars).length));
  return (
    <div className="mb-3 grid gap-6 rounded-lg border p-4 sm:grid-cols-[10rem_1fr]">
      <div>
        <p className="tabular font-semibold text-2xl">
          {average.toLocaleString(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
          <span className="font-normal text-base text-soft"> of 5</span>
        </p>
        <p className="text-soft text-xs">
          {all
            ? `from ${count(ratings.length, 'rating')}`
            : `from the newest ${count(ratings.length, 'rating')}`}
        </p>
      </div>
      <ul aria-label="How often each was given" className="space-y-1">
        {[5, 4, 3, 2, 1].map((stars) => {
          const number = ratings.filter((one) => one === stars).length;
          return (
            <li key={stars} className="tabular flex items-center gap-3 text-xs">
              <span className="w-12 shrink-0 text-soft">{count(stars, 'star')}</span>
              <span aria-hidden className="h-2 flex-1 rounded-full bg-pressed">
                <span
                  className="block h-2 rounded-full bg-accent"
                  style={{ width: `${(number / most) * 100}%` }}
                />
              </span>
              <span className="w-8 shrink-0 text-end">{number}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
