import { ApiError } from '../../api.ts';
import type { Form, TextProps } from '../../forms/use-form.ts';
import { TextArea } from '../../ui/forms/Field.tsx';
import { faultOfLines } from './lines.ts';

interface LinesFieldProps<K extends string>
  extends Partial<Pick<Parameters<typeof TextArea>[0], 'bare' | 'rows'>> {
  form: Pick<Form<object>, 'error' | 'reset'> & { text: (key: K) => TextProps };
  /** The field of the form, and of the operation's input. */
  name: K;
  label: string;
  hint: string;
  placeholder: string;
}

/** Addresses, one per line; a rejected one is quoted. */
export function LinesField<K extends string>({ form, name, label, ...rest }: LinesFieldProps<K>) {
  const { value, onChange } = form.text(name);
  const refused = form.error instanceof ApiError ? form.error : undefined;
  return (
    <TextArea
      label={label}
      className="font-mono text-[13px]"
      {...rest}
      value={value}
      fault={faultOfLines({ text: value, label, path: name }, refused)}
      onChange={(event) => {
        // The server's error identifies a line by its number, which an edit changes.
        if (refused) form.reset();
        onChange(event);
      }}
    />
  );
}
