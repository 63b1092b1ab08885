import type { ReactNode } from 'react';
import { SelectField } from '../ui/forms/Field.tsx';
import { FormDialog } from './FormDialog.tsx';
import type { Form } from './use-form.ts';

interface MergeDialogProps {
  form: Form<{ into: number }>;
  title: string;
  action: string;
  failure: string;
  /** The label of the choice of target. */
  label: string;
  hint: string;
  others: readonly { id: number; name: string }[];
  onClose: () => void;
  /** The progress. */
  children?: ReactNode;
}

/** Asks into which other record to merge. */
export function MergeDialog({ label, hint, others, children, ...dialog }: MergeDialogProps) {
  const { form } = dialog;
  return (
    <FormDialog {...dialog}>
      <SelectField
        label={label}
        hint={hint}
        disabled={form.saving}
        {...form.number('into')}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {children}
    </FormDialog>
  );
}
