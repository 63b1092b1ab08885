import type { DraftKind } from '@foyer/protocol';
import type { Generated } from 'kysely';

interface Drafts {
  site_id: number;
  agent_id: number;
  conversation_id: number | null;
  ticket_id: number | null;
  kind: DraftKind;
  version: Generated<number>;
  text: string;
  updated_at: Date;
}

export interface WritingTables {
  drafts: Drafts;
}
