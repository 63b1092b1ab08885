import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Esta conversa foi transferida para a equipe',
  event_agent_joined: '{name} entrou na conversa',
  event_agent_joined_unnamed: 'Alguém da equipe entrou na conversa',
  event_given_back: 'O assistente voltou a responder',
  event_email_left: 'Você deixou seu e-mail',
  event_closed_by_visitor: 'Você encerrou a conversa',
  event_closed_by_agent: 'A conversa foi encerrada',
};
