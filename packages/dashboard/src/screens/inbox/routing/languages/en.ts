/** How routing explains what it decided on a chat or ticket. */
export const words = {
  assigned: 'Assigned to {name}: {reasons}',
  nobody: 'No suitable agent is available: {needs}',
  agent_away: 'Returned to the queue: {name} was unavailable for too long',
  agent_removed: 'Returned to the queue: {name} was removed',
  by_round_robin: 'longest without a new chat',
  by_least_busy: 'fewest open chats',
  by_last_agent: 'had the last chat',
  ticket_by_round_robin: 'longest without a new ticket',
  ticket_by_least_busy: 'fewest open tickets',
  ticket_by_last_agent: 'had the last ticket',
  speaks: 'speaks {language}',
  knows: 'knows {tags}',
  in_team: 'in {team}',
  fell_back: 'offered to everybody',
} as const;
