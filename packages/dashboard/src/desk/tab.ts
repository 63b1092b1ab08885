import type { QueryClient } from '@tanstack/react-query';

/** The conversation on the screen. */
export type Looking = { session_id: string } | { ticket_id: number };

/** What this browser tab shows, and when it was last used. */
export interface Tab {
  client: QueryClient;
  looking: Looking | null;
  touchedAt: number;
}
