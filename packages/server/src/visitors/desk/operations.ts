import { type AnyOperation, adminsRead, agentsRead, operation } from '../../core/operation.ts';
import { listFields } from '../fields.ts';
import { exportVisitors } from './export.ts';
import { listAtDesk } from './list.ts';

/** The desk's operations on visitors beyond those of REST. */
export const visitorDeskOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'visitors.list',
    summary: 'List visitors by filter, last seen first',
    records: { segment: 'segment' },
    mayLag: ({ q }) => q !== undefined,
    run: listAtDesk,
  }),
  operation({
    ...adminsRead,
    name: 'visitors.export',
    audit: 'visitor',
    summary: 'Export visitors by filter as CSV, in parts',
    records: { segment: 'segment' },
    run: exportVisitors,
  }),
  operation({
    ...agentsRead,
    name: 'visitor_fields.list',
    summary: 'List the names of recent attributes and events',
    run: listFields,
  }),
];
