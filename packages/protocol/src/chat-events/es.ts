import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Este chat se ha transferido al equipo',
  event_agent_joined: '{name} se ha unido al chat',
  event_agent_joined_unnamed: 'Alguien del equipo se ha unido al chat',
  event_given_back: 'El asistente vuelve a responder',
  event_email_left: 'Ha dejado su correo electrónico',
  event_closed_by_visitor: 'Ha terminado el chat',
  event_closed_by_agent: 'El chat ha terminado',
};
