import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'أُحيلت هذه المحادثة إلى الفريق',
  event_agent_joined: 'انضم {name} إلى المحادثة',
  event_agent_joined_unnamed: 'انضم أحد أعضاء الفريق إلى المحادثة',
  event_given_back: 'عاد المساعد إلى الإجابة',
  event_email_left: 'لقد تركت بريدك الإلكتروني',
  event_closed_by_visitor: 'لقد أنهيت المحادثة',
  event_closed_by_agent: 'انتهت المحادثة',
};
