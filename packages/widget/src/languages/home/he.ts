import { chatEvents } from '@foyer/protocol/chat-events/he';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'צ׳אט',
  open: 'פתיחת הצ׳אט',
  close: 'סגירת הצ׳אט',
  home_hello: 'שלום',
  home_greeting: 'איך אפשר לעזור?',
  home_send: 'כתבו לנו הודעה',
  home_online: 'הצוות מחובר',
  home_away: 'הבוט שלנו יכול לעזור עכשיו. הצוות לא זמין כרגע.',
  home_starters: 'שאלות נפוצות',
  home_recent: 'השיחות שלכם',
  home_all_chats: 'כל השיחות',
  reply_few: 'אנחנו עונים בדרך כלל בתוך כמה דקות',
  reply_minutes: {
    one: 'אנחנו עונים בדרך כלל בתוך כדקה',
    two: 'אנחנו עונים בדרך כלל בתוך כשתי דקות',
    other: 'אנחנו עונים בדרך כלל בתוך כ־{count} דקות',
  },
  reply_hours: {
    one: 'אנחנו עונים בדרך כלל בתוך שעה',
    two: 'אנחנו עונים בדרך כלל בתוך שעתיים',
    other: 'אנחנו עונים בדרך כלל בתוך {count} שעות',
  },
  back_today: 'נחזור היום בשעה {time}',
  back_tomorrow: 'נחזור מחר בשעה {time}',
  back_on: 'נחזור: {day}, {time}',
  help_search: 'חיפוש בעזרה',
  loading: 'טוען…',
  load_failed: 'הטעינה נכשלה.',
  bot_name: 'העוזר הדיגיטלי',
  team: 'הצוות',
  you: 'אתם',
  says: '{name}: {text}',
  closed_hint: 'השיחה הסתיימה',
  person: 'לדבר עם נציג',
  retry: 'ניסיון נוסף',
  offline: 'אין חיבור לרשת. ההודעות יישלחו כשהחיבור יחזור.',
  reconnecting: 'מתחברים מחדש… ההודעות יישלחו כשהחיבור יחזור.',
  today: 'היום',
  yesterday: 'אתמול',
  ...chatEvents,
  unread: { one: 'הודעה אחת שלא נקראה', two: 'שתי הודעות שלא נקראו', other: '{count} הודעות שלא נקראו' },
  powered: 'צ׳אט מבית Foyer',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/he.ts')).words;
