import { useCallback } from 'react';
import { handlerOf } from '../../../commands/commands.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';

/** Quotes a message, or the selected part of it, above the reply being written. */
export function useQuote(place: string): (text: string) => void {
  const { drafts } = useDesk();
  return useCallback(
    (text) => {
      const marked = getSelection()?.toString().trim() ?? '';
      const quoted = marked !== '' && text.includes(marked) ? marked : text.trim();
      const lines = quoted.split('\n').map((line) => `> ${line}`.trimEnd());
      drafts.change(place, { reply: `${lines.join('\n')}\n\n${drafts.get(place).reply}` });
      handlerOf('reply')?.run?.();
    },
    [drafts, place],
  );
}
