import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: '此聊天已转交客服团队',
  event_agent_joined: '{name} 加入了聊天',
  event_agent_joined_unnamed: '一位客服人员加入了聊天',
  event_given_back: '智能助手继续为您解答',
  event_email_left: '您留下了邮箱地址',
  event_closed_by_visitor: '您结束了聊天',
  event_closed_by_agent: '聊天已结束',
};
