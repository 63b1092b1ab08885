import { ErrorNote } from '../ui/ErrorNote.tsx';
import type { FormState } from './use-form.ts';

interface FormErrorProps {
  form: FormState;
  /** What has not happened. */
  title?: string;
  className?: string;
}

/** Why the save failed, where no field of the form shows it. Stands after the fields. */
export function FormError({ form, ...rest }: FormErrorProps) {
  const error = form.unshownError();
  return error ? <ErrorNote error={error} {...rest} /> : null;
}
