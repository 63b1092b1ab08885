import type { DraftKind, Mention } from '@foyer/protocol';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

interface Drafts {
  site_id: number;
  agent_id: number;
  conversation_id: number | null;
  ticket_id: number | null;
  kind: DraftKind;
  version: Generated<number>;
  text: string;
  mentions: JSONColumnType<Mention[], string | undefined, string>;
  updated_at: Date;
}

interface Mentions {
  site_id: number;
  id: Generated<number>;
  agent_id: number;
  note_id: ColumnType<number | null, number | undefined, never>;
  reply_id: ColumnType<number | null, number | undefined, never>;
  name: string;
  created_at: Date;
}

interface MentionQueue {
  site_id: number;
  mention_id: number;
  agent_id: number;
  conversation_id: number | null;
  ticket_id: number | null;
  is_open: boolean;
}

export interface WritingTables {
  drafts: Drafts;
  mentions: Mentions;
  mention_queue: MentionQueue;
}
