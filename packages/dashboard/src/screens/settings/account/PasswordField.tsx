import { ApiError } from '../../../api.ts';
import { TextField } from '../../../ui/Field.tsx';
import { t } from './t.ts';

/** Asks for one's own password before something of the account changes. */
export function PasswordField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (password: string) => void;
  error: Error | null;
}) {
  return (
    <TextField
      label={t('password_own')}
      type="password"
      autoComplete="current-password"
      required
      autoFocus
      value={value}
      error={error instanceof ApiError ? error.issue('password') : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
