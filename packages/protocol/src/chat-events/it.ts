import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Questa chat è stata passata al team',
  event_agent_joined: '{name} si è unito alla chat',
  event_agent_joined_unnamed: 'Qualcuno del team si è unito alla chat',
  event_given_back: 'Risponde di nuovo l’assistente',
  event_email_left: 'Ha lasciato il suo indirizzo e-mail',
  event_closed_by_visitor: 'Ha terminato la chat',
  event_closed_by_agent: 'La chat è stata terminata',
};
