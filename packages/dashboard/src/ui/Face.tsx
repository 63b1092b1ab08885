import { Bot } from 'lucide-react';
import { initials } from '../words.ts';
import { cx } from './classes.ts';

interface FaceProps {
  /** Visitors are round, agents square, the bot has its own icon. */
  kind: 'visitor' | 'agent' | 'bot';
  /** Unset: nameless. */
  name?: string | null;
  /** An agent's picture, if they have one. */
  picture?: string | null | undefined;
  /** `tiny` has one letter. */
  size?: 'tiny' | 'small' | 'normal' | 'large';
  /** Undefined: not shown. */
  presence?: 'online' | 'away' | 'offline';
  className?: string;
}

const SIZES = {
  tiny: 'size-4.5 text-xs',
  small: 'size-6 text-xs',
  normal: 'size-8 text-xs',
  large: 'size-12 text-base',
};
const KINDS = {
  visitor: 'rounded-full bg-pressed text-soft',
  agent: 'bg-accent text-on-accent',
  bot: 'rounded-lg border border-line-strong bg-surface text-soft',
};

const DOTS = { online: 'bg-good-dot', away: 'bg-warn-dot', offline: 'bg-control' };

/** Lucide's `User` as a single path, without its component: one appears with each row that scrolls into view. */
const Nameless = ({ className }: { className: string }) => (
  <svg
    aria-hidden
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={className}
  >
    <path d="M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2M16 7a4 4 0 1 1-8 0a4 4 0 1 1 8 0z" />
  </svg>
);

/** Shows at a glance who somebody is. The name beside it says it in words. */
export function Face({ kind, name, picture, size = 'normal', presence, className }: FaceProps) {
  const icon = size === 'small' || size === 'tiny' ? 'size-3.5' : size === 'large' ? 'size-6' : 'size-4';
  return (
    <span
      aria-hidden
      className={cx(
        'relative inline-flex shrink-0 items-center justify-center font-semibold',
        SIZES[size],
        KINDS[kind],
        kind === 'agent' && (size === 'tiny' ? 'rounded-sm' : 'rounded-lg'),
        className,
      )}
    >
      {picture ? (
        <img src={picture} alt="" className="size-full rounded-[inherit] object-cover" />
      ) : kind === 'bot' ? (
        <Bot className={icon} />
      ) : name ? (
        initials(name).slice(0, size === 'tiny' ? 1 : undefined)
      ) : (
        <Nameless className={icon} />
      )}
      {presence === undefined ? null : (
        <span
          className={cx(
            '-end-0.5 -bottom-0.5 absolute size-2.5 rounded-full border-2 border-surface forced-color-adjust-none',
            DOTS[presence],
          )}
        />
      )}
    </span>
  );
}
