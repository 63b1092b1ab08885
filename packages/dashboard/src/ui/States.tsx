import type { ReactNode } from 'react';
import { tCommon } from '../t-common.ts';
import { cx } from './classes.ts';

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  /** The one next step. */
  action?: ReactNode;
}

/** An empty state: what will be here, and the next step. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex h-full flex-col items-center justify-center px-8 py-12 text-center">
      <div aria-hidden className="mb-4 rounded-xl border bg-surface p-3 text-faint [&_svg]:size-6">
        {icon}
      </div>
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 max-w-80 text-soft">{children}</p>
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}

/** One piece of a skeleton. */
export function Bone({ className, round = false }: { className?: string; round?: boolean }) {
  return <span className={cx('block bg-pressed', round ? 'rounded-full' : 'rounded-md', className)} />;
}

/** The skeleton of a loading list; only shown after 300 ms. */
export function ListBones({ rows = 6, face = true }: { rows?: number; face?: boolean }) {
  return (
    <div role="status" aria-label={tCommon('loading')} className="late pulse-soft">
      {Array.from({ length: rows }, (_, at) => at).map((at) => (
        <div key={at} className="flex items-center gap-3 px-4 py-3">
          {face ? <Bone round className="size-8 shrink-0" /> : null}
          <div className="flex-1 space-y-2">
            <Bone className={at % 2 ? 'h-3 w-32' : 'h-3 w-24'} />
            <Bone className={at % 3 ? 'h-3 w-4/5' : 'h-3 w-3/5'} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** A short label with a subtle background: a state, a count, a kind. */
export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'accent' | 'good' | 'warn' | 'danger';
  children: ReactNode;
}) {
  const tones = {
    plain: 'bg-pressed text-soft',
    accent: 'bg-accent-ground text-accent-text',
    good: 'bg-good-ground text-good-text',
    warn: 'bg-warn-ground text-warn-text',
    danger: 'bg-danger-ground text-danger-text',
  };
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full shrink-0 items-center gap-1 truncate rounded-md px-1.5 font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

/** Something the reader should know before continuing. */
export function Callout({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: 'plain' | 'warn';
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={cx(
        'flex gap-3 rounded-lg border p-3 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
        tone === 'warn'
          ? 'border-warn-line bg-warn-ground [&>svg]:text-warn-text'
          : 'bg-sunken [&>svg]:text-soft',
      )}
    >
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
