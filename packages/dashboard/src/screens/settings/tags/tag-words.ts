import type { OutputOf, Tag } from '@foyer/protocol';
import { formatList } from '../../../language.ts';
import { t } from './t.ts';

type TagUse = OutputOf<'tags.uses'>['tags'][number];

export interface UsedTag extends Tag {
  uses: TagUse;
}

/** How many records have a tag or refer to it. */
export const usesOf = ({ uses }: UsedTag): number => uses.chats + uses.tickets + uses.macros + uses.views;

/** What has a tag, as a list in words; empty if nothing has. Counting stopped at `most`. */
export function wordsOfUses({ chats, tickets, macros, views }: TagUse, most: number): string {
  const parts = [
    chats >= most ? t('chats_most', { count: most }) : chats > 0 && t('chats', { count: chats }),
    tickets >= most ? t('tickets_most', { count: most }) : tickets > 0 && t('tickets', { count: tickets }),
    macros > 0 && t('macros', { count: macros }),
    views > 0 && t('views', { count: views }),
  ];
  return formatList(parts.filter((part) => part !== false));
}
