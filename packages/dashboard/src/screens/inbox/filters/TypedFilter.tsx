import { useState } from 'react';
import { TextField } from '../../../ui/forms/Field.tsx';

interface TypedFilterProps {
  label: string;
  value: string;
  type?: 'text' | 'number' | 'date';
  placeholder?: string;
  maxLength: number;
  disabled?: boolean;
  onChange: (value: string) => void;
}

/** Applied when the field loses focus: a list for half a word would be useless. */
export function TypedFilter({ value, onChange, ...field }: TypedFilterProps) {
  const [typed, setTyped] = useState({ of: value, text: value });
  // Cleared or replaced from outside, such as by a chip.
  const text = typed.of === value ? typed.text : value;
  const keep = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <TextField
        {...field}
        step="any"
        value={text}
        onChange={({ target }) => setTyped({ of: value, text: target.value })}
        onBlur={keep}
      />
    </form>
  );
}
