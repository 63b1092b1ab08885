import type {
  BulkChangeAction,
  ErrorCode,
  ErrorReason,
  MacroAction,
  TicketFilter,
  TicketSort,
} from '@foyer/protocol';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

interface Macros {
  site_id: number;
  id: Generated<number>;
  name: string;
  actions: JSONColumnType<MacroAction[], string, string>;
  created_at: Date;
  updated_at: Date;
  uses: Generated<number>;
  last_used_at: Date | null;
}

interface SavedViews {
  site_id: number;
  id: Generated<number>;
  name: string;
  filter: JSONColumnType<TicketFilter, string, string>;
  sort: TicketSort;
  position: number;
}

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface BulkChanges {
  site_id: number;
  id: Generated<number>;
  agent_id: number;
  /** Null: it takes back `undoes_id`. */
  change: JSONColumnType<BulkChangeAction, string, string> | null;
  undoes_id: Later<number>;
  created_at: Date;
  finished_at: Later<Date>;
}

interface BulkChangeItems {
  site_id: number;
  bulk_change_id: number;
  position: number;
  ticket_id: Later<number>;
  conversation_id: Later<number>;
  done_at: Later<Date>;
  code: Later<ErrorCode>;
  message: Later<string>;
  reason: Later<ErrorReason>;
  reason_values: Later<object>;
  undo: Later<object>;
}

export interface DeskTables {
  bulk_changes: BulkChanges;
  bulk_change_items: BulkChangeItems;
  macros: Macros;
  saved_views: SavedViews;
}
