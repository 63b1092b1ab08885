import type { TicketPriority, TicketStatus } from '@foyer/protocol';
import { t } from '../t.ts';

export const statusWord = (status: TicketStatus): string => t(`status_${status}`);
export const priorityWord = (priority: TicketPriority): string => t(`priority_${priority}`);
