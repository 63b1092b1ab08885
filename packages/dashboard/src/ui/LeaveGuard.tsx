import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { base } from '../base.ts';
import { Confirm } from './Dialog.tsx';

/** Asks before a page is left with something in its form that was not saved. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return <LeaveQuestion blocker={blocker}>{base('leave_hint')}</LeaveQuestion>;
}

interface LeaveQuestionProps {
  blocker: {
    status: 'idle' | 'blocked';
    proceed?: (() => void) | undefined;
    reset?: (() => void) | undefined;
  };
  /** What is lost. */
  children: ReactNode;
}

/** What a guard asks, whatever it goes by. */
export function LeaveQuestion({ blocker, children }: LeaveQuestionProps) {
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={base('leave_question')}
      action={base('leave')}
      keep={base('leave_stay')}
      onConfirm={() => blocker.proceed?.()}
    >
      {children}
    </Confirm>
  );
}
