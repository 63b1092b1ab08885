import { ErrorNote } from '../ui/ErrorNote.tsx';
import type { FormState } from './use-form.ts';

interface FormErrorProps {
  form: FormState;
  /** What failed. */
  title?: string;
  className?: string;
}

/** The error of a save, if no field of the form shows it. Place it after the fields. */
export function FormError({ form, ...rest }: FormErrorProps) {
  const error = form.unshownError();
  return error ? <ErrorNote error={error} {...rest} /> : null;
}
