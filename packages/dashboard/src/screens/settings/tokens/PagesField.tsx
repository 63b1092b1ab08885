import { ApiError } from '../../../api.ts';
import { TextArea } from '../../../ui/Field.tsx';
import { faultOfLines } from '../lines.ts';
import { t } from './t.ts';

interface PagesFieldProps {
  value: string;
  save: { error: Error | null; reset: () => void };
  onChange: (value: string) => void;
}

/** The sites whose pages may use a browser token, one a line. */
export function PagesField({ value, save, onChange }: PagesFieldProps) {
  const error = save.error instanceof ApiError ? save.error : undefined;
  return (
    <TextArea
      label={t('pages')}
      rows={3}
      placeholder="https://shop.example"
      className="font-mono text-[13px]"
      hint={t('pages_hint')}
      value={value}
      fault={faultOfLines({ text: value, label: t('pages'), path: 'allowed_origins' }, error)}
      onChange={(event) => {
        // The server counts the lines that it was sent.
        if (error) save.reset();
        onChange(event.target.value);
      }}
    />
  );
}
