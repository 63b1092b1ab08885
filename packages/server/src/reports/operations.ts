import { type AnyOperation, operation } from '../core/operation.ts';
import { reportBot } from './bot-report.ts';
import { exportReport } from './export.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import { reportResponses } from './responses.ts';
import { listComments, reportSatisfaction } from './satisfaction.ts';
import { reportHours, reportVolume } from './traffic.ts';

const read = { who: ['agent'], scope: 'read' } as const;

export const reportOperations: AnyOperation[] = [
  operation({
    ...read,
    name: 'reports.volume',
    summary: 'How many chats and tickets came',
    run: reportVolume,
  }),
  operation({
    ...read,
    name: 'reports.responses',
    summary: 'How long people wait for an answer, and for an end',
    run: reportResponses,
  }),
  operation({
    ...read,
    name: 'reports.hours',
    summary: 'At which hours chats and tickets come',
    run: reportHours,
  }),
  operation({ ...read, name: 'reports.bot', summary: 'What the bot does by itself', run: reportBot }),
  operation({
    ...read,
    name: 'reports.satisfaction',
    summary: 'How visitors rated their chats',
    run: reportSatisfaction,
  }),
  operation({
    ...read,
    name: 'reports.comments',
    summary: 'The ratings of some days with their comments',
    run: listComments,
  }),
  operation({
    ...read,
    name: 'reports.agents',
    summary: 'What each of the team has done',
    run: reportAgents,
  }),
  operation({ ...read, name: 'reports.tags', summary: 'What chats and tickets are about', run: reportTags }),
  operation({
    ...read,
    name: 'reports.export',
    audit: 'report',
    summary: 'A report as CSV',
    run: exportReport,
  }),
];
