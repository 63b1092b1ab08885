import type { ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../language.ts';
import { ChartFrame, FigureTable } from './charts/ChartFrame.tsx';
import { average, durationOrNone } from './charts/figures.ts';
import { ReportBody } from './ReportBody.tsx';
import { agentsQuery } from './report-queries.ts';
import { t } from './t.ts';

/** What each agent did. */
export function AgentsReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(agentsQuery(span))}
      empty={({ agents }) =>
        agents.length === 0 ? { title: t('agents_none'), hint: t('agents_none_hint') } : undefined
      }
    >
      {({ agents }) => {
        const most = agents.reduce((best, one) => (one.chats > best.chats ? one : best));
        const title = t('agents_title');
        return (
          <ChartFrame
            title={title}
            summary={t('agents_summary', { name: most.agent.name, number: most.chats })}
          >
            <FigureTable
              caption={title}
              table={{
                head: [
                  t('agent'),
                  t('series_chats'),
                  t('column_messages'),
                  t('column_first'),
                  t('column_end'),
                  t('column_answered'),
                  t('column_solved'),
                  t('column_rating'),
                ],
                rows: agents.map((one) => [
                  one.agent.name,
                  formatNumber(one.chats),
                  formatNumber(one.messages),
                  durationOrNone(one.answers.median_s),
                  durationOrNone(one.ends.median_s),
                  formatNumber(one.tickets_answered),
                  formatNumber(one.tickets_solved),
                  average(one.rated.average),
                ]),
              }}
            />
          </ChartFrame>
        );
      }}
    </ReportBody>
  );
}
