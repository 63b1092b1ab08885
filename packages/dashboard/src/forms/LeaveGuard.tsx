import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { tCommon } from '../t-common.ts';
import { Confirm } from '../ui/dialogs/Dialog.tsx';

/** Asks before leaving a page with unsaved changes in its form. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return <LeaveQuestion blocker={blocker}>{tCommon('leave_hint')}</LeaveQuestion>;
}

interface LeaveQuestionProps {
  blocker: {
    status: 'idle' | 'blocked';
    proceed?: (() => void) | undefined;
    reset?: (() => void) | undefined;
  };
  /** What would be lost. */
  children: ReactNode;
}

/** The question of a guard, whatever triggers it. */
export function LeaveQuestion({ blocker, children }: LeaveQuestionProps) {
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={tCommon('leave_question')}
      action={tCommon('leave')}
      keep={tCommon('leave_stay')}
      onConfirm={() => blocker.proceed?.()}
    >
      {children}
    </Confirm>
  );
}
