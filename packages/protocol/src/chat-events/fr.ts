import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Cette discussion a été transmise à l’équipe',
  event_agent_joined: '{name} a rejoint la discussion',
  event_agent_joined_unnamed: 'Un membre de l’équipe a rejoint la discussion',
  event_given_back: 'L’assistant répond de nouveau',
  event_email_left: 'Vous avez laissé votre adresse e-mail',
  event_closed_by_visitor: 'Vous avez terminé la discussion',
  event_closed_by_agent: 'La discussion est terminée',
};
