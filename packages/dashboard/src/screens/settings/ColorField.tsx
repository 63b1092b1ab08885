import { TextField } from '../../ui/Field.tsx';

interface ColorFieldProps {
  color: string;
  error: string | undefined;
  onChange: (color: string) => void;
}

/** The accent, written or picked. */
export const ColorField = ({ color, error, onChange }: ColorFieldProps) => (
  <div>
    <div className="flex items-end gap-2">
      <TextField
        label="Colour"
        required
        pattern="#[0-9a-fA-F]{6}"
        title="A colour of the form #rrggbb"
        frame="w-32"
        className="font-mono"
        value={color}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        type="color"
        aria-label="Choose the colour"
        value={/^#[0-9a-fA-F]{6}$/.test(color) ? color : '#000000'}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-14 shrink-0 rounded-lg border border-line-strong bg-field p-1 max-md:h-11"
      />
    </div>
    <p className={error ? 'mt-1 text-danger-text' : 'mt-1 text-soft'}>
      {error ??
        'Of the button and the visitor’s own messages. What stands on it is black or white, whichever reads.'}
    </p>
  </div>
);
