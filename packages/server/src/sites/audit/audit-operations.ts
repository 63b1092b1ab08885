import { type AnyOperation, adminsRead, operation } from '../../core/operation.ts';
import { exportAudit, listAudit } from './audit-log.ts';

/** The audit log for admins. */
export const auditOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'audit.list',
    summary: 'List audit log entries, newest first',
    run: listAudit,
  }),
  operation({
    ...adminsRead,
    name: 'audit.export',
    audit: 'audit',
    summary: 'Export the audit log as CSV, in parts',
    run: exportAudit,
  }),
];
