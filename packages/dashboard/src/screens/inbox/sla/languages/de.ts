import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'SLA',
  policy: 'Richtlinie',
  target_first_response: 'Erste Antwort',
  target_next_response: 'Nächste Antwort',
  target_resolution: 'Lösung',
  due_in: 'Fällig in {time}',
  late_by: 'Überfällig seit {time}',
  met: 'Eingehalten',
  missed: 'Verfehlt',
  paused: 'Angehalten',
};
