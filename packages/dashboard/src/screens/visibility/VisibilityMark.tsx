import { Lock, UsersRound } from 'lucide-react';
import { type Seen, useSeenWords } from './visibility.ts';

/** Says beside a name that only the agent or a team sees it. */
export function VisibilityMark({ seen }: { seen: Seen }) {
  const word = useSeenWords()(seen);
  if (word === undefined) return null;
  const Sign = seen.visibility === 'private' ? Lock : UsersRound;
  return (
    <span className="inline-flex min-w-0 max-w-28 items-center gap-1 text-soft text-xs">
      <Sign aria-hidden className="size-3 shrink-0" />
      <span className="truncate" title={word}>
        <bdi>{word}</bdi>
      </span>
    </span>
  );
}
