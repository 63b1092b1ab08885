import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'השיחה הועברה לצוות',
  event_agent_joined: '{name} בשיחה',
  event_agent_joined_unnamed: 'מישהו מהצוות הצטרף לשיחה',
  event_given_back: 'העוזר הדיגיטלי עונה שוב',
  event_email_left: 'השארתם כתובת דוא״ל',
  event_closed_by_visitor: 'סיימתם את השיחה',
  event_closed_by_agent: 'השיחה הסתיימה',
};
