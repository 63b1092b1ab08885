import { UsersRound } from 'lucide-react';

/** A team's emoji, or the sign of all teams. */
export const TeamMark = ({ emoji }: { emoji: string | null }) => (
  <span
    aria-hidden
    className="inline-flex size-5 shrink-0 items-center justify-center text-soft leading-none"
  >
    {emoji ?? <UsersRound className="size-4" />}
  </span>
);
