import { actionMailJobs } from './macros/action-mail.ts';
import { leaveTeam, releaseTickets } from './routing/release.ts';
import { indexFields } from './search/field-index.ts';
import { slaJobs } from './sla/renew-all.ts';

export const ticketJobs = [releaseTickets, leaveTeam, indexFields, ...slaJobs, ...actionMailJobs];
