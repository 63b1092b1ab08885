import { type AnyOperation, agentsRead, operation } from '../core/operation.ts';
import { readReport } from './any-report.ts';
import { reportBot } from './bot-report.ts';
import { exportReport } from './export.ts';
import { listComments } from './lists/comments.ts';
import { listConversations } from './lists/conversations.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import { reportResponses } from './responses.ts';
import { reportSatisfaction } from './satisfaction.ts';
import { reportSlas } from './sla/slas.ts';
import { reportTeams } from './teams.ts';
import { reportHours, reportVolume } from './traffic.ts';

/** Reports are counted seconds behind anyway, and so are the lists of their records. */
const reports = { ...agentsRead, mayLag: true } as const;

export const reportOperations: AnyOperation[] = [
  operation({
    ...reports,
    name: 'reports.volume',
    summary: 'Report the volume of chats and tickets',
    run: reportVolume,
  }),
  operation({
    ...reports,
    name: 'reports.responses',
    summary: 'Report first response and resolution times',
    run: reportResponses,
  }),
  operation({
    ...reports,
    name: 'reports.hours',
    summary: 'Report volume by hour of the week',
    run: reportHours,
  }),
  operation({ ...reports, name: 'reports.bot', summary: 'Report the bot’s results', run: reportBot }),
  operation({
    ...reports,
    name: 'reports.satisfaction',
    summary: 'Report satisfaction',
    run: reportSatisfaction,
  }),
  operation({
    ...reports,
    name: 'reports.comments',
    summary: 'List ratings with their comments',
    run: listComments,
  }),
  operation({
    ...reports,
    name: 'reports.conversations',
    summary: 'List chats and tickets by the day they started',
    run: listConversations,
  }),
  operation({
    ...reports,
    name: 'reports.teams',
    summary: 'Report figures by team',
    run: reportTeams,
  }),
  operation({
    ...reports,
    name: 'reports.agents',
    summary: 'Report activity by agent',
    run: reportAgents,
  }),
  operation({
    ...reports,
    name: 'reports.tags',
    summary: 'Report chats and tickets by tag',
    run: reportTags,
  }),
  operation({
    ...reports,
    name: 'reports.slas',
    summary: 'Report the SLA targets that were met and missed',
    run: reportSlas,
  }),
  operation({
    ...reports,
    name: 'reports.get',
    summary: 'Read a report of a period',
    who: ['token', 'agent'],
    rest: { resource: 'reports', method: 'GET' },
    tool: {
      name: 'get_report',
      description:
        'Read a report of a period, in the site’s time zone: volume, response times, busiest hours, bot, satisfaction, teams, agents, tags, or the share of SLA targets met by policy, team and assignee. With `team_id`, of one team.',
    },
    run: readReport,
  }),
  operation({
    ...reports,
    name: 'reports.export',
    audit: 'report',
    summary: 'Export a report as CSV',
    run: exportReport,
  }),
];
