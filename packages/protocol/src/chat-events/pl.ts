import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Rozmowę przekazano zespołowi',
  event_agent_joined: '{name} dołącza do rozmowy',
  event_agent_joined_unnamed: 'Ktoś z zespołu dołącza do rozmowy',
  event_given_back: 'Znów odpowiada asystent',
  event_email_left: 'Zostawiono adres e-mail',
  event_closed_by_visitor: 'Rozmowa zakończona przez Ciebie',
  event_closed_by_agent: 'Rozmowa została zakończona',
};
