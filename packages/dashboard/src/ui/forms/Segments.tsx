import { useId } from 'react';
import { cx } from '../classes.ts';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** A choice between a few visible options. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset aria-label={label} className="inline-flex gap-1 rounded-lg bg-pressed p-1">
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'relative flex h-7 cursor-pointer items-center rounded-md px-3 font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:h-9 has-disabled:cursor-not-allowed has-disabled:opacity-50',
            option.value === value ? 'bg-raised text-text shadow-float' : 'text-soft hover:text-text',
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
