import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'Bu sohbet ekibimize aktarıldı',
  event_agent_joined: '{name} sohbete katıldı',
  event_agent_joined_unnamed: 'Ekibimizden biri sohbete katıldı',
  event_given_back: 'Asistan yeniden yanıtlıyor',
  event_email_left: 'E-posta adresinizi bıraktınız',
  event_closed_by_visitor: 'Sohbeti bitirdiniz',
  event_closed_by_agent: 'Sohbet sona erdi',
};
