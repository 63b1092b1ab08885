import type { TextProps } from '../../../forms/use-form.ts';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { dayOfField, EXPIRIES, type Expiry } from './expiry.ts';
import { t } from './t.ts';

interface ExpiryFieldProps {
  form: { values: Expiry; text: (key: 'expiry' | 'date', path?: string) => TextProps };
}

/** Until when a token works. */
export function ExpiryField({ form }: ExpiryFieldProps) {
  const isDate = form.values.expiry === 'date';
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={t('expires')}
        {...form.text('expiry', isDate ? undefined : 'expires_utc')}
        options={EXPIRIES.map((value) => ({ value, label: t(`expiry_${value}`) }))}
      />
      {isDate ? (
        <TextField
          type="date"
          label={t('last_day')}
          required
          min={dayOfField(new Date())}
          {...form.text('date', 'expires_utc')}
        />
      ) : null}
    </div>
  );
}
