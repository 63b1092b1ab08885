import { type AnyOperation, operation } from '../operation.ts';
import { exportAudit, listAudit } from './audit-log.ts';
import { countOlderAudit } from './audit-retention.ts';

const adminsRead = { who: ['admin'], scope: 'read' } as const;

/** What admins see of who changed what. */
export const auditOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'audit.list',
    summary: 'Who changed what, newest first',
    run: listAudit,
  }),
  operation({
    ...adminsRead,
    name: 'audit.count_older',
    summary: 'How much of the audit log would go if it were kept for so many months',
    run: async (ctx, { months }) => ({ count: await countOlderAudit(ctx, months) }),
  }),
  operation({
    ...adminsRead,
    name: 'audit.export',
    audit: 'audit',
    summary: 'The audit log as CSV, in parts',
    run: exportAudit,
  }),
];
