import { type AnyOperation, agentsRead, operation } from '../core/operation.ts';
import { reportBot } from './bot-report.ts';
import { exportReport } from './export.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import { reportResponses } from './responses.ts';
import { listComments, reportSatisfaction } from './satisfaction.ts';
import { reportHours, reportVolume } from './traffic.ts';

export const reportOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'reports.volume',
    summary: 'How many chats and tickets came',
    run: reportVolume,
  }),
  operation({
    ...agentsRead,
    name: 'reports.responses',
    summary: 'How long people wait for an answer, and for an end',
    run: reportResponses,
  }),
  operation({
    ...agentsRead,
    name: 'reports.hours',
    summary: 'At which hours chats and tickets come',
    run: reportHours,
  }),
  operation({ ...agentsRead, name: 'reports.bot', summary: 'What the bot does by itself', run: reportBot }),
  operation({
    ...agentsRead,
    name: 'reports.satisfaction',
    summary: 'How visitors rated their chats',
    run: reportSatisfaction,
  }),
  operation({
    ...agentsRead,
    name: 'reports.comments',
    summary: 'The ratings of some days with their comments',
    run: listComments,
  }),
  operation({
    ...agentsRead,
    name: 'reports.agents',
    summary: 'What each of the team has done',
    run: reportAgents,
  }),
  operation({
    ...agentsRead,
    name: 'reports.tags',
    summary: 'What chats and tickets are about',
    run: reportTags,
  }),
  operation({
    ...agentsRead,
    name: 'reports.export',
    audit: 'report',
    summary: 'A report as CSV',
    run: exportReport,
  }),
];
