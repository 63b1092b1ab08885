import type { ErrorComponentProps } from '@tanstack/react-router';
import { tCommon } from '../../t-common.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';

/** Shown if a page crashed: what happened, and how to continue. */
export function CrashScreen({ error: thrown }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return (
    <div className="flex h-full flex-1 items-center justify-center bg-surface p-6">
      <div className="w-full max-w-md">
        <h1 className="mb-3 font-semibold text-lg">{tCommon('crashed')}</h1>
        <ErrorNote error={error} title={tCommon('crashed_kept')} onRetry={() => location.reload()} />
      </div>
    </div>
  );
}
