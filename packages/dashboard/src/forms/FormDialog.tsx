import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { tCommon } from '../t-common.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { FormError } from './FormError.tsx';
import type { FormState } from './use-form.ts';

interface FormDialogProps {
  title: string;
  onClose: () => void;
  form: FormState;
  children: ReactNode;
  /** The label of the save button. */
  action?: string;
  /** What failed, as the title of an error. */
  failure?: string;
  /** Whether a required value is still missing. */
  disabled?: boolean;
  /** The action can't be undone. */
  danger?: boolean;
}

/** A dialog with a form, Cancel and Save; Ctrl Enter saves too. It stays open while saving, and if that fails. */
export function FormDialog({
  title,
  onClose,
  form,
  children,
  action = tCommon('save'),
  failure = tCommon('not_saved'),
  disabled = false,
  danger = false,
}: FormDialogProps) {
  const id = useId();
  const press = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!disabled && !form.saving) event.currentTarget.requestSubmit();
  };
  return (
    <Dialog
      open
      holds
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{tCommon('cancel')}</Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            type="submit"
            form={id}
            busy={form.saving}
            disabled={disabled}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={id} className="space-y-4" onSubmit={form.submit} onKeyDown={press}>
        {children}
        <FormError form={form} title={failure} />
      </form>
    </Dialog>
  );
}
