import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { given } from '../../address-search.ts';
import { usageQuery } from '../../queries.ts';
import { dateOf } from '../../times.ts';
import { ChartFrame } from './charts/ChartFrame.tsx';
import { percentOf } from './charts/figures.ts';
import { Shares } from './charts/Shares.tsx';
import { DailyFrame } from './DailyFrame.tsx';
import { figureLink } from './FigureLink.tsx';
import { BOT_MESSAGES, OUTCOMES, REASONS } from './figure-words.ts';
import { ReportBody } from './ReportBody.tsx';
import { botQuery } from './report-queries.ts';
import type { Figure } from './report-search.ts';
import { t } from './t.ts';

type Bot = OutputOf<'reports.bot'>;
type Outcomes = Bot['now'];

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
              shares={BOT_MESSAGES.map((kind) => ({
                name: t(`message_${kind}`),
                count: data.messages[kind],
                figure: { show: 'bot_turns', of: kind },
              }))}
            />
            <Shares
              title={t('reasons_title')}
              shares={REASONS.map((reason) => ({
                name: t(`reason_${reason}`),
                count: data.reasons.find(({ name }) => name === reason)?.count ?? 0,
                figure: { show: 'chat_calls', of: reason },
              }))}
            />
            {data.tokens ? <Tokens tokens={data.tokens} /> : null}
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
  const percent = percentOf(now.answered, all(now));
  const chats = t('chats', { count: all(now) });
  return (
    <DailyFrame
      title={t('bot_title')}
      summary={t.rich('bot_summary', {
        percent: figureLink(now.answered, t('percent', { percent }), { show: 'bot_chats', of: 'answered' }),
        chats: figureLink(all(now), chats, { show: 'bot_chats' }),
      })}
      label={t('bot_summary', { percent: t('percent', { percent }), chats })}
      notes={all(earlier) === 0 ? [] : [t('bot_before', { percent: before })]}
      days={days.map((one) => ({ day: one.day, parts: OUTCOMES.map((outcome) => one[outcome]) }))}
      series={OUTCOMES.map((outcome) => t(`outcome_${outcome}`))}
      figureOf={(part) => given<Figure>({ show: 'bot_chats', of: OUTCOMES[part ?? -1] })}
    />
  );
}

/** The model's usage in this period, and in the billing cycle. */
function Tokens({ tokens }: { tokens: NonNullable<Bot['tokens']> }) {
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
