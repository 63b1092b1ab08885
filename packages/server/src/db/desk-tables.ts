import type { MacroAction, TicketFilter, TicketSort } from '@foyer/protocol';
import type { Generated, JSONColumnType } from 'kysely';

interface Macros {
  site_id: number;
  id: Generated<number>;
  name: string;
  actions: JSONColumnType<MacroAction[], string, string>;
  created_at: Date;
  updated_at: Date;
}

interface SavedViews {
  site_id: number;
  id: Generated<number>;
  name: string;
  filter: JSONColumnType<TicketFilter, string, string>;
  sort: TicketSort;
  position: number;
}

export interface DeskTables {
  macros: Macros;
  saved_views: SavedViews;
}
