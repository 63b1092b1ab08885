import type { ReactNode } from 'react';
import { ApiError } from '../../api.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Empty } from '../../ui/States.tsx';
import { BackToList } from './BackToList.tsx';

interface NotLoadedProps {
  /** Null: the address is invalid. */
  error: Error | null;
  onRetry: () => void;
  icon: ReactNode;
  /** The texts if it doesn't exist. */
  missing: { title: string; hint: string };
  failed: string;
}

/** Instead of a chat or ticket that doesn't exist or couldn't be loaded. */
export function NotLoaded({ error, onRetry, icon, missing, failed }: NotLoadedProps) {
  const isMissing =
    !error || (error instanceof ApiError && ['not_found', 'invalid_input'].includes(error.code));
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-sunken max-md:p-2">
      <BackToList />
      {isMissing ? (
        <Empty icon={icon} title={missing.title}>
          {missing.hint}
        </Empty>
      ) : (
        <div className="mx-auto w-full max-w-md p-6 max-md:px-2">
          <ErrorNote error={error} title={failed} onRetry={onRetry} />
        </div>
      )}
    </div>
  );
}
