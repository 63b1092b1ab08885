import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Dieser Chat wurde an unser Team übergeben',
  event_agent_joined: '{name} ist dem Chat beigetreten',
  event_agent_joined_unnamed: 'Jemand aus unserem Team ist dem Chat beigetreten',
  event_given_back: 'Der Assistent antwortet wieder',
  event_email_left: 'Sie haben Ihre E-Mail-Adresse hinterlassen',
  event_closed_by_visitor: 'Sie haben den Chat beendet',
  event_closed_by_agent: 'Der Chat wurde beendet',
};
