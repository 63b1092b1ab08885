import { chatEvents } from '@foyer/protocol/chat-events/pt';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Chat',
  open: 'Abrir o chat',
  close: 'Fechar o chat',
  home_hello: 'Olá',
  home_greeting: 'Como podemos ajudar?',
  home_send: 'Envie uma mensagem',
  home_online: 'A equipe está on-line',
  home_away: 'Nosso bot pode ajudar agora. A equipe está ausente.',
  home_starters: 'Perguntas frequentes',
  home_recent: 'Suas conversas',
  home_all_chats: 'Todas as conversas',
  reply_few: 'Costumamos responder em poucos minutos',
  reply_minutes: {
    one: 'Costumamos responder em cerca de {count} minuto',
    many: 'Costumamos responder em cerca de {count} minutos',
    other: 'Costumamos responder em cerca de {count} minutos',
  },
  reply_hours: {
    one: 'Costumamos responder em até {count} hora',
    many: 'Costumamos responder em até {count} horas',
    other: 'Costumamos responder em até {count} horas',
  },
  back_today: 'De volta hoje às {time}',
  back_tomorrow: 'De volta amanhã às {time}',
  back_on: 'De volta: {day}, {time}',
  help_search: 'Buscar na ajuda',
  loading: 'Carregando…',
  load_failed: 'Não foi possível carregar.',
  bot_name: 'Assistente',
  team: 'A equipe',
  you: 'Você',
  says: '{name}: {text}',
  closed_hint: 'Esta conversa terminou',
  person: 'Falar com um atendente',
  retry: 'Tentar de novo',
  offline: 'Você está off-line. As mensagens serão enviadas quando a conexão voltar.',
  reconnecting: 'Reconectando… As mensagens serão enviadas quando a conexão voltar.',
  today: 'Hoje',
  yesterday: 'Ontem',
  ...chatEvents,
  unread: {
    one: '{count} mensagem não lida',
    many: '{count} mensagens não lidas',
    other: '{count} mensagens não lidas',
  },
  powered: 'Chat por Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/pt.ts')).words;
