import { store } from '../storage.ts';

/** A chat or ticket that was opened here. Only the id is stored; its text is loaded again. */
type Opened = { kind: 'chat'; id: string } | { kind: 'ticket'; id: number };

const KEPT = 6;
const nameOf = (agentId: number): string => `foyer.opened.${agentId}`;

const isOpened = (value: unknown): value is Opened => {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('id' in value)) return false;
  return value.kind === 'chat' ? typeof value.id === 'string' : Number.isSafeInteger(value.id);
};

/** What an agent has opened in this browser, latest first. */
export function openedLately(agentId: number): Opened[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(nameOf(agentId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isOpened).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Moves what was just opened to the top of the agent's list on this device. */
export function rememberOpened(agentId: number, opened: Opened): void {
  const others = openedLately(agentId).filter(({ kind, id }) => kind !== opened.kind || id !== opened.id);
  store.setItem(nameOf(agentId), JSON.stringify([opened, ...others].slice(0, KEPT)));
}
