import type { TicketPriority, TicketStatus } from '@foyer/protocol';
import { t } from './t.ts';

export const STATUSES: readonly TicketStatus[] = ['new', 'open', 'pending', 'hold', 'solved', 'closed'];
export const PRIORITIES: readonly TicketPriority[] = ['low', 'normal', 'high', 'urgent'];

export const statusWord = (status: TicketStatus): string => t(`status_${status}`);
export const priorityWord = (priority: TicketPriority): string => t(`priority_${priority}`);
