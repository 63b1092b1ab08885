import type { QueryClient } from '@tanstack/react-query';

/** A conversation, as the screen that shows it names it. */
export type Looking = { session_id: string } | { ticket_id: number };

/** What this browser tab shows its agent, and when they last used it. */
export interface Tab {
  client: QueryClient;
  looking: Looking | null;
  touchedAt: number;
}
