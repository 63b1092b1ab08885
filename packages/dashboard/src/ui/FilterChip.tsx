import { X } from 'lucide-react';
import { cx } from './classes.ts';

interface FilterChipProps {
  phrase: string;
  /** The accessible name, including the phrase. */
  label: string;
  onRemove: () => void;
  small?: boolean;
}

/** An active filter; clicking removes it. */
export const FilterChip = ({ phrase, label, onRemove, small = false }: FilterChipProps) => (
  <button
    type="button"
    aria-label={label}
    onClick={onRemove}
    className={cx(
      'inline-flex max-w-full items-center rounded-full border border-line-strong bg-field hover:bg-hover max-md:h-10',
      small ? 'h-7 gap-1 ps-2.5 pe-1.5 text-xs' : 'h-8 gap-1.5 ps-3 pe-2',
    )}
  >
    <bdi className="truncate">{phrase}</bdi>
    <X aria-hidden className="size-3.5 shrink-0 text-soft" />
  </button>
);
