import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Чат передано команді',
  event_agent_joined: '{name} тепер у чаті',
  event_agent_joined_unnamed: 'Хтось із команди тепер у чаті',
  event_given_back: 'Знову відповідає помічник',
  event_email_left: 'Ви залишили електронну адресу',
  event_closed_by_visitor: 'Ви завершили чат',
  event_closed_by_agent: 'Чат завершено',
};
