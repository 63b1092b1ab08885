import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

interface ColorFieldProps {
  color: string;
  error: string | undefined;
  onChange: (color: string) => void;
}

/** The accent colour, typed or picked. */
export const ColorField = ({ color, error, onChange }: ColorFieldProps) => (
  <div>
    <div className="flex items-end gap-2">
      <TextField
        label={t('color')}
        required
        pattern="#[0-9a-fA-F]{6}"
        title={t('color_form')}
        frame="w-32"
        className="font-mono"
        value={color}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        type="color"
        aria-label={t('color_choose')}
        value={/^#[0-9a-fA-F]{6}$/.test(color) ? color : '#000000'}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-14 shrink-0 rounded-lg border border-line-strong bg-field p-1 max-md:h-11"
      />
    </div>
    <p className={error ? 'mt-1 text-danger-text' : 'mt-1 text-soft'}>{error ?? t('color_hint')}</p>
  </div>
);
