import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { given } from '../../address-search.ts';
import { Comments } from './Comments.tsx';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { DayChart } from './charts/DayChart.tsx';
import { average, dayLong } from './charts/figures.ts';
import { Shares } from './charts/Shares.tsx';
import { ratingTicks } from './charts/ticks.ts';
import { countLink, figureLink, useOpenFigure } from './FigureLink.tsx';
import { ReportBody } from './ReportBody.tsx';
import { satisfactionQuery } from './report-queries.ts';
import type { Figure } from './report-search.ts';
import { t } from './t.ts';

type Satisfaction = OutputOf<'reports.satisfaction'>;
const STARS = [5, 4, 3, 2, 1] as const;

interface SatisfactionReportProps {
  span: ReportSpan;
  rating: number | undefined;
}

/** Ratings by day, with their comments. */
export function SatisfactionReport({ span, rating }: SatisfactionReportProps) {
  return (
    <ReportBody
      asked={useQuery(satisfactionQuery(span))}
      empty={({ now, earlier }) =>
        now.count + earlier.count === 0 ? { title: t('satisfaction_none'), hint: <SurveyHint /> } : undefined
      }
    >
      {(data) => (
        <>
          <Overall data={data} />
          <div className="grid gap-4 md:grid-cols-2">
            <Shares
              title={t('ratings_title')}
              shares={STARS.map((stars) => ({
                name: t('stars', { count: stars }),
                count: data.now.ratings[stars - 1] ?? 0,
                figure: { show: 'ratings', part: stars },
                link: <RatingLink stars={stars} />,
              }))}
            />
            <WithAndWithout data={data} />
          </div>
          <Comments span={span} rating={rating} />
        </>
      )}
    </ReportBody>
  );
}

/** Filters the ratings below by stars. */
const RatingLink = ({ stars }: { stars: number }) => (
  <Link
    to="/reports"
    search={(search) => ({ ...search, rating: stars })}
    className="text-accent-text hover:underline"
  >
    {t('stars', { count: stars })}
  </Link>
);

/** A number of ratings that links to the rated chats. */
const RatedLink = ({ of, count }: { of?: string; count: number }) =>
  figureLink(count, t('ratings', { count }), given<Figure>({ show: 'ratings', of }));

function SurveyHint() {
  return (
    <>
      {t('satisfaction_none_hint')}{' '}
      <Link to="/settings/survey" className="text-accent-text underline">
        {t('survey_set')}
      </Link>
    </>
  );
}

function Overall({ data: { now, earlier, days } }: { data: Satisfaction }) {
  const summary =
    now.average === null
      ? t('satisfaction_none')
      : t('satisfaction_summary', {
          average: average(now.average),
          ratings: t('ratings', { count: now.count }),
        });
  const linked =
    now.average === null
      ? summary
      : t.rich('satisfaction_summary', {
          average: average(now.average),
          ratings: <RatedLink key="ratings" count={now.count} />,
        });
  const openFigure = useOpenFigure();
  const points = days.map(({ day, average: mean }) => ({ day, parts: [mean] }));
  return (
    <ChartFrame
      title={t('satisfaction_title')}
      summary={linked}
      notes={
        earlier.average === null ? [] : [t('satisfaction_before', { average: average(earlier.average) })]
      }
      table={{
        head: [t('day'), t('number'), t('average')],
        rows: days.map((one) => [
          dayLong(one.day),
          countLink(one.count, { show: 'ratings', day: one.day, days: 1 }),
          average(one.average),
        ]),
      }}
    >
      <DayChart
        points={points}
        series={[t('average')]}
        label={summary}
        caption={t('average_by_days')}
        ticks={ratingTicks}
        say={average}
        nameOf={dayLong}
        onOpen={(day) => openFigure({ show: 'ratings', day, days: 1 })}
      />
    </ChartFrame>
  );
}

function WithAndWithout({ data: { team, bot } }: { data: Satisfaction }) {
  const both = team.count > 0 && bot.count > 0;
  return (
    <ChartFrame
      title={t('by_title')}
      summary={
        both ? t('by_summary', { team: average(team.average), bot: average(bot.average) }) : t('by_one')
      }
    >
      <dl className="grid grid-cols-2 gap-3">
        {(
          [
            ['team', team],
            ['bot', bot],
          ] as const
        ).map(([name, rated]) => (
          <div key={name}>
            <dt className="text-soft">{t(`by_${name}`)}</dt>
            <dd className="tabular">
              <span className="block font-semibold text-2xl">{average(rated.average)}</span>
              <span className="text-soft text-xs">
                <RatedLink of={name} count={rated.count} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </ChartFrame>
  );
}
