import { type AnyOperation, adminsRead, agentsRead, operation } from '../../core/operation.ts';
import { listFields } from '../fields.ts';
import { exportVisitors } from './export.ts';
import { listAtDesk } from './list.ts';

/** What agents do with visitors at the desk, beside what REST offers. */
export const visitorDeskOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'visitors.list',
    summary: 'The visitors by filter, those seen last first',
    records: { segment: 'segment' },
    run: listAtDesk,
  }),
  operation({
    ...adminsRead,
    name: 'visitors.export',
    audit: 'visitor',
    summary: 'The visitors by filter as CSV, in parts',
    records: { segment: 'segment' },
    run: exportVisitors,
  }),
  operation({
    ...agentsRead,
    name: 'visitor_fields.list',
    summary: 'The names of attributes and events that the site has lately told',
    run: listFields,
  }),
];
