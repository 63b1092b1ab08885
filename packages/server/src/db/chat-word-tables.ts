import type { ColumnType, Generated } from 'kysely';

interface ChatWords {
  site_id: number;
  conversation_id: number;
  part: number;
  last_seq: number;
  last_note_id: number;
  entries: number;
  said_at: Date;
  words: string;
}

interface ChatWordSites {
  site_id: number;
  message_id: Generated<number>;
  note_id: Generated<number>;
  settling_xid: ColumnType<string | null, string | null | undefined, string | null>;
  settling_message_id: Generated<number>;
  settling_note_id: Generated<number>;
  chats_below: ColumnType<number | null, number | null | undefined, number | null>;
}

export interface ChatWordTables {
  chat_words: ChatWords;
  chat_word_sites: ChatWordSites;
}
