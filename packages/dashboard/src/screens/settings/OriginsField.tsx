import { ApiError } from '../../api.ts';
import type { Form, TextProps } from '../../forms/use-form.ts';
import { TextArea } from '../../ui/forms/Field.tsx';
import { faultOfLines } from './lines.ts';

interface OriginsFieldProps extends Partial<Pick<Parameters<typeof TextArea>[0], 'bare' | 'rows'>> {
  form: Pick<Form<object>, 'error' | 'reset'> & { text: (key: 'allowed_origins') => TextProps };
  label: string;
  hint: string;
}

/** Addresses of websites, one per line; a rejected one is quoted. */
export function OriginsField({ form, label, ...rest }: OriginsFieldProps) {
  const { value, onChange } = form.text('allowed_origins');
  const refused = form.error instanceof ApiError ? form.error : undefined;
  return (
    <TextArea
      label={label}
      placeholder="https://shop.example"
      className="font-mono text-[13px]"
      {...rest}
      value={value}
      fault={faultOfLines({ text: value, label, path: 'allowed_origins' }, refused)}
      onChange={(event) => {
        // The server's error identifies a line by its number, which an edit changes.
        if (refused) form.reset();
        onChange(event);
      }}
    />
  );
}
