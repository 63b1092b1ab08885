import type { ReactNode } from 'react';
import { ApiError } from '../../api.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Empty } from '../../ui/States.tsx';
import { BackToList } from './BackToList.tsx';

interface NotLoadedProps {
  /** Null: what was asked for can't be. */
  error: Error | null;
  onRetry: () => void;
  icon: ReactNode;
  /** Of what there is no such. */
  missing: { title: string; hint: string };
  failed: string;
}

/** In the place of a chat or a ticket: that there is none, or that it could not be loaded. */
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
