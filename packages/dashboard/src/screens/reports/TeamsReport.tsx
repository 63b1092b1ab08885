import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../../language.ts';
import { ChartFrame, FigureTable } from './charts/ChartFrame.tsx';
import { average, durationOrNone, percentOf } from './charts/figures.ts';
import { ReportBody } from './ReportBody.tsx';
import { byTeamQuery } from './report-queries.ts';
import { t } from './t.ts';

type ByTeam = OutputOf<'reports.teams'>['teams'][number];

/** A team's name links to its own figures, each of which links to what it counts. */
const nameOf = ({ team }: ByTeam): ReactNode =>
  team ? (
    <Link
      key="team"
      to="/reports"
      search={({ report: _, ...search }) => ({ ...search, of_team: team.id })}
      className="text-accent-text hover:underline"
    >
      <bdi>{team.name}</bdi>
    </Link>
  ) : (
    t('no_team')
  );

function rowOf(one: ByTeam): ReactNode[] {
  const { met, missed } = one.slas;
  return [
    nameOf(one),
    formatNumber(one.chats),
    formatNumber(one.tickets),
    formatNumber(one.chats_earlier + one.tickets_earlier),
    durationOrNone(one.chat_answers.median_s),
    durationOrNone(one.chat_ends.median_s),
    durationOrNone(one.ticket_answers.median_s),
    durationOrNone(one.ticket_ends.median_s),
    met + missed === 0 ? '—' : t('percent', { percent: percentOf(met, met + missed) }),
    average(one.rated.average),
  ];
}

const hasAny = ({ chats, tickets }: ByTeam): boolean => chats + tickets > 0;

function summaryOf(teams: readonly ByTeam[]): string {
  const [most] = teams;
  if (most?.team && hasAny(most))
    return t('teams_summary', {
      name: most.team.name,
      chats: t('chats', { count: most.chats }),
      tickets: t('tickets', { count: most.tickets }),
    });
  return t(teams.some(hasAny) ? 'teams_quiet' : 'nothing');
}

/** The teams side by side. */
export function TeamsReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(byTeamQuery(span))}
      empty={({ teams }) =>
        teams.every(({ team }) => team === null)
          ? {
              title: t('teams_none'),
              hint: t.rich('teams_none_hint', {
                settings: (
                  <Link key="settings" to="/settings/teams" className="text-accent-text underline">
                    {t('teams_settings')}
                  </Link>
                ),
              }),
            }
          : undefined
      }
    >
      {({ teams }) => {
        const title = t('teams_title');
        return (
          <ChartFrame title={title} summary={summaryOf(teams)} notes={[t('teams_of')]}>
            <FigureTable
              caption={title}
              table={{
                head: [
                  t('column_team'),
                  t('series_chats'),
                  t('series_tickets'),
                  t('column_before'),
                  t('column_chat_first'),
                  t('column_chat_end'),
                  t('column_ticket_first'),
                  t('column_ticket_end'),
                  t('tab_slas'),
                  t('column_rating'),
                ],
                rows: teams.map(rowOf),
              }}
            />
          </ChartFrame>
        );
      }}
    </ReportBody>
  );
}
