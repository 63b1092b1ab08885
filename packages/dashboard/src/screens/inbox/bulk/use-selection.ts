import { useState } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import type { InboxItem } from '../list/inbox-list.ts';
import { allOf, NOTHING, rangeTo, type Selection, toggled } from './selection.ts';

export interface Selecting {
  selection: Selection;
  select: (selection: Selection) => void;
  /** A click on a row's box; with Shift, everything in between. */
  pick: (key: string, withShift: boolean) => void;
}

/** The focused row, or the open one. */
function rowAt(openKey: string | undefined): string | undefined {
  const row = document.activeElement?.closest('[data-row]');
  return row?.getAttribute('data-row') ?? openKey;
}

/** The selection in this list; another list starts without one. */
export function useSelection(
  place: string,
  items: readonly InboxItem[],
  openKey: string | undefined,
): Selecting {
  const [kept, keep] = useState({ place, selection: NOTHING });
  const selection = kept.place === place ? kept.selection : NOTHING;
  const select = (next: Selection): void => keep({ place, selection: next });
  const listed = (): string[] => items.map(({ key }) => key);
  const pick = (key: string, withShift: boolean): void =>
    select(withShift ? rangeTo(selection, listed(), key) : toggled(selection, key));
  const pickHere = (withShift: boolean) => (): void => {
    const key = rowAt(openKey) ?? items[0]?.key;
    if (key !== undefined) pick(key, withShift);
  };
  const some = items.length > 0;
  useCommands({
    select: some ? pickHere(false) : undefined,
    select_to: some ? pickHere(true) : undefined,
    select_all: some ? () => select(allOf(listed())) : undefined,
    close_layer: selection.keys.size > 0 ? () => select(NOTHING) : undefined,
  });
  return { selection, select, pick };
}
