import type { OfficeHours, Routing, Team } from '@foyer/protocol';
import { inOrder } from '../hours/HoursFields.tsx';

export interface TeamValues {
  name: string;
  description: string;
  emoji: string;
  members: number[];
  /** Empty: nobody. */
  lead: string;
  hours: OfficeHours | null;
  /** Empty: the site's. */
  routing: Routing | '';
  ticket_routing: Routing | '';
}

export const NEW_TEAM: TeamValues = {
  name: '',
  description: '',
  emoji: '',
  members: [],
  lead: '',
  hours: null,
  routing: '',
  ticket_routing: '',
};

export const valuesOf = (team: Team): TeamValues => ({
  name: team.name,
  description: team.description,
  emoji: team.emoji ?? '',
  members: team.members.map(({ id }) => id),
  lead: team.lead ? String(team.lead.id) : '',
  hours: team.office_hours,
  routing: team.routing ?? '',
  ticket_routing: team.ticket_routing ?? '',
});

/** The input of a save. A lead who is no longer a member isn't the lead either. */
export const inputOf = ({
  name,
  description,
  emoji,
  members,
  lead,
  hours,
  routing,
  ticket_routing,
}: TeamValues) => ({
  name,
  description,
  emoji: emoji.trim() || null,
  member_ids: members,
  lead_id: members.includes(Number(lead)) ? Number(lead) : null,
  office_hours: hours && inOrder(hours),
  routing: routing || null,
  ticket_routing: ticket_routing || null,
});
