import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  snooze_until: 'Zurückstellen bis',
  snooze_example: 'morgen 9:00, in 3 Stunden, Freitag',
  snooze_or: 'Endet vorzeitig, wenn der Kunde antwortet.',
  snooze_enter: '{date}. Zum Zurückstellen Eingabe drücken.',
  snooze_unclear: 'Geben Sie einen Zeitpunkt in der Zukunft ein.',
  snooze_3_hours: 'In 3 Stunden',
  snooze_tomorrow: 'Morgen früh',
  snooze_monday: 'Montag früh',
  snooze_week: 'In einer Woche',
  snoozed_until: 'Zurückgestellt bis {date}',
  unsnoozed: 'Zurückstellung aufgehoben',
  snooze_failed: 'Die Zurückstellung ließ sich nicht ändern.',
};
