import { store } from '../storage.ts';

/** A chat or a ticket that was open here; its words are asked for anew, and lie in no browser. */
type Opened = { kind: 'chat'; id: string } | { kind: 'ticket'; id: number };

const KEPT = 6;
const nameOf = (agentId: number): string => `foyer.opened.${agentId}`;

const isOpened = (value: unknown): value is Opened => {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('id' in value)) return false;
  return value.kind === 'chat' ? typeof value.id === 'string' : Number.isSafeInteger(value.id);
};

/** What an agent had open in this browser, the last one first. */
export function openedLately(agentId: number): Opened[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(nameOf(agentId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isOpened).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Puts what was just opened first in the agent's list on this device. */
export function rememberOpened(agentId: number, opened: Opened): void {
  const others = openedLately(agentId).filter(({ kind, id }) => kind !== opened.kind || id !== opened.id);
  store.setItem(nameOf(agentId), JSON.stringify([opened, ...others].slice(0, KEPT)));
}
