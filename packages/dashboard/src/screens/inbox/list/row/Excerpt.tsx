import type { FoundWords } from '@foyer/protocol';
import { Lock } from 'lucide-react';
import { t } from '../../t.ts';

/** Where the words of a search occur, in a row's line. Built from pieces of plain text. */
export function Excerpt({ found }: { found: FoundWords }) {
  let at = 0;
  return (
    <span className="col-span-2 flex items-center gap-1 text-soft">
      {found.in === 'note' ? (
        <>
          <Lock aria-hidden className="size-3.5 shrink-0 text-note-text" />
          <span className="sr-only">{t('found_in_note')} </span>
        </>
      ) : null}
      <bdi className="min-w-0 truncate">
        {found.excerpt.map(({ text, hit }) => {
          const key = at;
          at += text.length;
          return hit ? (
            <mark key={key} className="rounded-sm bg-accent-ground font-medium text-accent-text">
              {text}
            </mark>
          ) : (
            text
          );
        })}
      </bdi>
    </span>
  );
}
