import { type AnyOperation, operation } from '../../core/operation.ts';
import { listFields } from '../fields.ts';
import { exportVisitors } from './export.ts';
import { listAtDesk } from './list.ts';

/** What agents do with visitors at the desk, beside what REST offers. */
export const visitorDeskOperations: AnyOperation[] = [
  operation({
    name: 'visitors.list',
    summary: 'The visitors by filter, those seen last first',
    who: ['agent'],
    scope: 'read',
    records: { segment: 'segment' },
    run: listAtDesk,
  }),
  operation({
    name: 'visitors.export',
    audit: 'visitor',
    summary: 'The visitors by filter as CSV, in parts',
    who: ['admin'],
    scope: 'read',
    records: { segment: 'segment' },
    run: exportVisitors,
  }),
  operation({
    name: 'visitor_fields.list',
    summary: 'The names of attributes and events that the site has lately told',
    who: ['agent'],
    scope: 'read',
    run: listFields,
  }),
];
