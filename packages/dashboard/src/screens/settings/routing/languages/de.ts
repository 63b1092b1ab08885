import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  edit: 'Kenntnisse',
  edit_of: 'Kenntnisse von {name}',
  title: 'Kenntnisse von {name}',
  intro:
    'Chats in diesen Sprachen oder mit diesen Tags gehen an Agenten, die sie beherrschen. Was kein Agent beherrscht, spielt keine Rolle.',
  languages: 'Sprachen',
  tags: 'Tags',
  tags_failed: 'Die Tags konnten nicht geladen werden.',
  tags_none: 'Es gibt noch keine Tags.',
  saved: 'Kenntnisse gespeichert',
};
