import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageQuery } from '../../queries.ts';
import { dateOf } from '../../times.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { percentOf } from './charts/figures.ts';
import { Shares } from './charts/Shares.tsx';
import { DailyFrame } from './DailyFrame.tsx';
import { ReportBody } from './ReportBody.tsx';
import { botQuery } from './report-queries.ts';
import { t } from './t.ts';

type Bot = OutputOf<'reports.bot'>;
type Outcomes = Bot['now'];
const OUTCOMES = ['answered', 'handed_off', 'unanswered'] as const;
const MESSAGES = ['answered', 'asked_back', 'unknown'] as const;
const REASONS = ['visitor_request', 'low_confidence', 'no_answer', 'agent_takeover', 'rule'] as const;

const all = ({ answered, handed_off, unanswered }: Outcomes): number => answered + handed_off + unanswered;

/** How many chats the bot solved alone, and what it could not answer. */
export function BotReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(botQuery(span))}
      empty={({ now, earlier }) =>
        all(now) + all(earlier) === 0 ? { title: t('nothing'), hint: t('nothing_hint') } : undefined
      }
    >
      {(data) => (
        <>
          <Results data={data} />
          <div className="grid gap-4 md:grid-cols-2">
            <Shares
              title={t('messages_title')}
              shares={MESSAGES.map((kind) => ({ name: t(`message_${kind}`), count: data.messages[kind] }))}
            />
            <Shares
              title={t('reasons_title')}
              shares={REASONS.map((reason) => ({
                name: t(`reason_${reason}`),
                count: data.reasons.find(({ name }) => name === reason)?.count ?? 0,
              }))}
            />
            <Tokens data={data} />
          </div>
          <Link to="/knowledge/gaps" className="inline-block py-1 text-accent-text underline">
            {t('gaps')}
          </Link>
        </>
      )}
    </ReportBody>
  );
}

function Results({ data: { now, earlier, days } }: { data: Bot }) {
  const before = percentOf(earlier.answered, all(earlier));
  return (
    <DailyFrame
      title={t('bot_title')}
      summary={t('bot_summary', { percent: percentOf(now.answered, all(now)) })}
      notes={all(earlier) === 0 ? [] : [t('bot_before', { percent: before })]}
      days={days.map((one) => ({ day: one.day, parts: OUTCOMES.map((outcome) => one[outcome]) }))}
      series={OUTCOMES.map((outcome) => t(`outcome_${outcome}`))}
    />
  );
}

/** What the model used in these days, and in the cycle that is billed. */
function Tokens({ data: { tokens } }: { data: Bot }) {
  const { data: usage } = useQuery(usageQuery);
  return (
    <ChartFrame
      title={t('tokens_title')}
      summary={tokens.input + tokens.output === 0 ? t('tokens_none') : t('tokens_summary', tokens)}
      notes={
        usage
          ? [
              t('cycle', {
                from: dateOf(usage.cycle_start_utc),
                replies: t('replies', { count: usage.ai_replies }),
                tokens: usage.bot_tokens,
              }),
            ]
          : []
      }
    />
  );
}
