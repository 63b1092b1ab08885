import type { ApiError } from '../../../api.ts';
import { TextArea } from '../../../ui/Field.tsx';
import { faultOfLines } from '../lines.ts';
import { t } from './t.ts';

interface PagesFieldProps {
  value: string;
  error: ApiError | undefined;
  onChange: (value: string) => void;
}

/** The sites whose pages may use a browser token, one a line. */
export function PagesField({ value, error, onChange }: PagesFieldProps) {
  return (
    <TextArea
      label={t('pages')}
      rows={3}
      placeholder="https://shop.example"
      className="font-mono text-[13px]"
      hint={t('pages_hint')}
      value={value}
      fault={faultOfLines({ text: value, label: t('pages'), path: 'allowed_origins' }, error)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
