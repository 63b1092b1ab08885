import { type ReactNode, useId } from 'react';
import { ApiError } from '../api.ts';
import { base } from '../base.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorNote } from './ErrorNote.tsx';

interface FormDialogProps {
  title: string;
  onClose: () => void;
  /** Saves what is in the fields; the form stays open while it does, and with the error when it fails. */
  save: { isPending: boolean; error: Error | null; mutate: () => void };
  /** The parts of the input whose faults the fields say themselves; every other error is said below them. */
  fields: readonly string[];
  children: ReactNode;
  /** On the button that saves. */
  action?: string;
  /** What has not happened when there is an error. */
  failure?: string;
  /** Whether something is still missing without which there is nothing to save. */
  disabled?: boolean;
  /** What it does can't be taken back. */
  danger?: boolean;
}

/** A dialog of a few fields with Cancel and Save; Enter saves as well. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    onClose,
    save,
    fields,
    children,
    action = base('save'),
    disabled = false,
    danger = false,
  } = props;
  const id = useId();
  const { error } = save;
  const isSaid = error instanceof ApiError && error.isOnlyOf(fields);
  return (
    <Dialog
      open
      holds
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{base('cancel')}</Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            type="submit"
            form={id}
            busy={save.isPending}
            disabled={disabled}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {children}
        {error && !isSaid ? <ErrorNote error={error} title={props.failure ?? base('not_saved')} /> : null}
      </form>
    </Dialog>
  );
}
