import { TextField } from './Field.tsx';
import { t } from './t.ts';

/** The authenticator's six digits, which browsers and phones fill in automatically. */
export function CodeField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  return (
    <TextField
      label={t('code')}
      name="code"
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\s*[0-9]{3}\s*[0-9]{3}\s*"
      title={t('code_digits')}
      maxLength={9}
      required
      autoFocus
      dir="ltr"
      className="font-mono tracking-widest"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
