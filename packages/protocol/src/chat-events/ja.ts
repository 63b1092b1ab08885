import type { ChatEvents } from './words.ts';

export const chatEvents: ChatEvents = {
  event_handed_off: 'チャットは担当者に引き継がれました',
  event_agent_joined: '{name}さんがチャットに参加しました',
  event_agent_joined_unnamed: '担当者がチャットに参加しました',
  event_given_back: 'アシスタントが再び対応します',
  event_email_left: 'メールアドレスを登録しました',
  event_closed_by_visitor: 'チャットを終了しました',
  event_closed_by_agent: 'チャットは終了しました',
};
