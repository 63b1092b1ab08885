import { useBlocker } from '@tanstack/react-router';
import { base } from '../base.ts';
import { Confirm } from './Dialog.tsx';

/** Asks before a page is left with something in its form that was not saved. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={base('leave_question')}
      action={base('leave')}
      keep={base('leave_stay')}
      onConfirm={() => blocker.proceed?.()}
    >
      {base('leave_hint')}
    </Confirm>
  );
}
