import { chatEvents } from '@foyer/protocol/chat-events/es';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Chat',
  open: 'Abrir el chat',
  close: 'Cerrar el chat',
  home_hello: 'Hola',
  home_greeting: '¿En qué podemos ayudarle?',
  home_send: 'Envíenos un mensaje',
  home_online: 'El equipo está en línea',
  home_away: 'Nuestro bot puede ayudarle ahora. El equipo no está disponible.',
  home_starters: 'Preguntas frecuentes',
  home_recent: 'Sus chats',
  home_all_chats: 'Todos los chats',
  reply_few: 'Solemos responder en unos minutos',
  reply_minutes: {
    one: 'Solemos responder en {count} minuto aproximadamente',
    many: 'Solemos responder en {count} minutos aproximadamente',
    other: 'Solemos responder en {count} minutos aproximadamente',
  },
  reply_hours: {
    one: 'Solemos responder en menos de {count} hora',
    many: 'Solemos responder en menos de {count} horas',
    other: 'Solemos responder en menos de {count} horas',
  },
  back_today: 'Volvemos hoy a las {time}',
  back_tomorrow: 'Volvemos mañana a las {time}',
  back_on: 'Volvemos el {day} a las {time}',
  help_search: 'Buscar en la ayuda',
  loading: 'Cargando…',
  load_failed: 'No se ha podido cargar.',
  bot_name: 'Asistente',
  team: 'El equipo',
  you: 'Usted',
  says: '{name}: {text}',
  closed_hint: 'Este chat ha terminado',
  person: 'Hablar con un agente',
  retry: 'Reintentar',
  offline: 'No tiene conexión. Los mensajes se enviarán cuando la recupere.',
  reconnecting: 'Reconectando… Los mensajes se enviarán cuando se restablezca la conexión.',
  today: 'Hoy',
  yesterday: 'Ayer',
  ...chatEvents,
  unread: {
    one: '{count} mensaje sin leer',
    many: '{count} mensajes sin leer',
    other: '{count} mensajes sin leer',
  },
  powered: 'Chat de Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/es.ts')).words;
