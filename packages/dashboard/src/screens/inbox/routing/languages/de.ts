import type { Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  assigned: '{name} zugewiesen: {reasons}',
  nobody: 'Kein passender Agent ist verfügbar: {needs}',
  agent_away: 'Zurück in der Warteschlange: {name} war zu lange nicht verfügbar',
  agent_removed: 'Zurück in der Warteschlange: {name} wurde entfernt',
  by_round_robin: 'am längsten ohne neuen Chat',
  by_least_busy: 'am wenigsten offene Chats',
  by_last_agent: 'hatte den letzten Chat',
  ticket_by_round_robin: 'am längsten ohne neues Ticket',
  ticket_by_least_busy: 'am wenigsten offene Tickets',
  ticket_by_last_agent: 'hatte das letzte Ticket',
  speaks: 'spricht {language}',
  knows: 'kennt {tags}',
  in_team: 'aus {team}',
  fell_back: 'allen angeboten',
};
