import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Deze chat is overgedragen aan het team',
  event_agent_joined: '{name} neemt deel aan de chat',
  event_agent_joined_unnamed: 'Iemand van het team neemt deel aan de chat',
  event_given_back: 'De assistent antwoordt weer',
  event_email_left: 'U hebt uw e-mailadres achtergelaten',
  event_closed_by_visitor: 'U hebt de chat beëindigd',
  event_closed_by_agent: 'De chat is beëindigd',
};
