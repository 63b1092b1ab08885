import type { ReactNode } from 'react';

interface ProgressProps {
  label: string;
  /** Unset: the duration is unknown. */
  done?: number;
  total?: number;
  children: ReactNode;
}

/** Running work, with figures. */
export function Progress({ label, done, total, children }: ProgressProps) {
  return (
    <div className="max-w-xl">
      <p className="font-medium">{label}</p>
      <progress
        aria-label={label}
        {...(done === undefined || !total ? {} : { value: done, max: total })}
        className="mt-2 h-2 w-full accent-accent"
      />
      <p role="status" className="tabular mt-2 text-soft">
        {children}
      </p>
    </div>
  );
}
