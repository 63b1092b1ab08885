import { type AnyOperation, agentsRead, operation } from '../core/operation.ts';
import { reportBot } from './bot-report.ts';
import { listConversations } from './conversations.ts';
import { exportReport } from './export.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import { reportResponses } from './responses.ts';
import { listComments, reportSatisfaction } from './satisfaction.ts';
import { reportHours, reportVolume } from './traffic.ts';

export const reportOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'reports.volume',
    summary: 'Report the volume of chats and tickets',
    run: reportVolume,
  }),
  operation({
    ...agentsRead,
    name: 'reports.responses',
    summary: 'Report first response and resolution times',
    run: reportResponses,
  }),
  operation({
    ...agentsRead,
    name: 'reports.hours',
    summary: 'Report volume by hour of the week',
    run: reportHours,
  }),
  operation({ ...agentsRead, name: 'reports.bot', summary: 'Report the bot’s results', run: reportBot }),
  operation({
    ...agentsRead,
    name: 'reports.satisfaction',
    summary: 'Report satisfaction',
    run: reportSatisfaction,
  }),
  operation({
    ...agentsRead,
    name: 'reports.comments',
    summary: 'List ratings with their comments',
    run: listComments,
  }),
  operation({
    ...agentsRead,
    name: 'reports.conversations',
    summary: 'List chats and tickets by the day they started',
    run: listConversations,
  }),
  operation({
    ...agentsRead,
    name: 'reports.agents',
    summary: 'Report activity by agent',
    run: reportAgents,
  }),
  operation({
    ...agentsRead,
    name: 'reports.tags',
    summary: 'Report chats and tickets by tag',
    run: reportTags,
  }),
  operation({
    ...agentsRead,
    name: 'reports.export',
    audit: 'report',
    summary: 'Export a report as CSV',
    run: exportReport,
  }),
];
