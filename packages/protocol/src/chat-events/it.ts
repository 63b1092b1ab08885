import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Questa chat è stata trasferita al team',
  event_agent_joined: '{name} è ora in chat',
  event_agent_joined_unnamed: 'Una persona del team è ora in chat',
  event_given_back: 'Risponde di nuovo l’assistente',
  event_email_left: 'Ha lasciato il suo indirizzo e-mail',
  event_closed_by_visitor: 'Ha terminato la chat',
  event_closed_by_agent: 'La chat è terminata',
};
