import type { ReactNode } from 'react';
import { SelectField } from './Field.tsx';
import { FormDialog } from './FormDialog.tsx';

interface MergeDialogProps {
  title: string;
  action: string;
  failure: string;
  /** Of the choice: into which. */
  label: string;
  hint: string;
  others: readonly { id: number; name: string }[];
  into: number;
  onInto: (id: number) => void;
  save: { mutate: () => void; isPending: boolean; error: Error | null };
  onClose: () => void;
  /** How far it is. */
  children?: ReactNode;
}

/** Asks into which of the others one goes. */
export function MergeDialog({
  title,
  action,
  failure,
  label,
  hint,
  others,
  into,
  onInto,
  save,
  onClose,
  children,
}: MergeDialogProps) {
  return (
    <FormDialog title={title} action={action} failure={failure} save={save} fields={[]} onClose={onClose}>
      <SelectField
        label={label}
        hint={hint}
        disabled={save.isPending}
        value={into}
        onChange={(event) => onInto(Number(event.target.value))}
      >
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {children}
    </FormDialog>
  );
}
