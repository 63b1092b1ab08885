import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import type { Form } from './use-form.ts';

interface FormFootProps {
  form: Pick<Form<object>, 'dirty' | 'saving' | 'discard'>;
  /** It creates the record, so there is nothing to discard. */
  isNew: boolean;
  disabled?: boolean;
  className?: string;
  discard: string;
  /** What the button does: `Save`. */
  children: ReactNode;
}

/** Saves or discards the changes of a record's page, and asks before they are left. */
export function FormFoot({
  form,
  isNew,
  disabled = false,
  className = 'mt-8',
  discard,
  children,
}: FormFootProps) {
  return (
    <>
      <LeaveGuard dirty={form.dirty} />
      <div className={`flex gap-3 ${className}`}>
        <Button
          look="primary"
          type="submit"
          busy={form.saving}
          disabled={disabled || (!isNew && !form.dirty)}
        >
          {children}
        </Button>
        {!isNew && form.dirty ? (
          <Button look="quiet" onClick={form.discard}>
            {discard}
          </Button>
        ) : null}
      </div>
    </>
  );
}
