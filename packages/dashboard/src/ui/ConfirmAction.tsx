import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Confirm } from './dialogs/Dialog.tsx';

interface ConfirmActionProps<R>
  extends Omit<ComponentProps<typeof Confirm>, 'open' | 'busy' | 'error' | 'onConfirm'> {
  open?: boolean;
  run: () => Promise<R>;
  onDone: (result: R) => unknown;
}

/** Asks before an action, runs it, and shows its error. */
export function ConfirmAction<R>({ open = true, run, onDone, onClose, ...rest }: ConfirmActionProps<R>) {
  const action = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <Confirm
      open={open}
      busy={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate()}
      onClose={() => {
        onClose();
        // Opening it again is a new attempt.
        if (action.isError) action.reset();
      }}
      {...rest}
    />
  );
}
