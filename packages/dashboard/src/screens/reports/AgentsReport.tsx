import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatNumber } from '../../language.ts';
import { ChartFrame, FigureTable } from './charts/ChartFrame.tsx';
import { average, durationOrNone } from './charts/figures.ts';
import { countLink, figureLink } from './FigureLink.tsx';
import { ReportBody } from './ReportBody.tsx';
import { agentsQuery } from './report-queries.ts';
import type { Figure } from './report-search.ts';
import { t } from './t.ts';

/** A median and an average link to the conversations they were computed from. */
function rowOf(one: OutputOf<'reports.agents'>['agents'][number]): ReactNode[] {
  const figure = (show: Figure['show']): Figure => ({ show, of: String(one.agent.id) });
  const chats = figure('agent_chats');
  return [
    one.agent.name,
    countLink(one.chats, chats),
    countLink(one.chats, chats, formatNumber(one.messages)),
    countLink(one.answers.count, figure('agent_answers'), durationOrNone(one.answers.median_s)),
    countLink(one.ends.count, figure('agent_ends'), durationOrNone(one.ends.median_s)),
    countLink(one.tickets_answered, figure('agent_ticket_answers')),
    countLink(one.tickets_solved, figure('agent_ticket_ends')),
    countLink(one.rated.count, figure('ratings'), average(one.rated.average)),
  ];
}

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
            summary={t.rich('agents_summary', {
              name: most.agent.name,
              number: figureLink(most.chats, formatNumber(most.chats), {
                show: 'agent_chats',
                of: String(most.agent.id),
              }),
            })}
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
                rows: agents.map(rowOf),
              }}
            />
          </ChartFrame>
        );
      }}
    </ReportBody>
  );
}
