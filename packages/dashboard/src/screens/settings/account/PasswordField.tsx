import type { TextProps } from '../../../forms/use-form.ts';
import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

/** Asks for the agent's own password before changes to the account. */
export function PasswordField(field: TextProps) {
  return (
    <TextField
      label={t('password_own')}
      type="password"
      autoComplete="current-password"
      required
      autoFocus
      {...field}
    />
  );
}
