import type { ApiError } from '../../api.ts';
import { TextArea } from '../../ui/Field.tsx';

interface PagesFieldProps {
  value: string;
  error: ApiError | undefined;
  onChange: (value: string) => void;
}

/** The sites whose pages may use a browser token, one a line. */
export function PagesField({ value, error, onChange }: PagesFieldProps) {
  return (
    <TextArea
      label="Works on pages of"
      rows={3}
      placeholder="https://shop.example"
      className="font-mono text-[13px]"
      hint="One a line, such as https://shop.example. While it is empty, every page can use the token."
      value={value}
      error={error?.issueWithin('allowed_origins')}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
