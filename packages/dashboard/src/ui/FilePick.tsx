import { FileUp } from 'lucide-react';
import { useId } from 'react';
import { buttonLook } from './Button.tsx';

interface FilePickProps {
  label: string;
  /** Types and extensions for the browser's dialog. */
  accept: string;
  onFile: (file: File) => void;
  disabled?: boolean;
  small?: boolean;
}

/** A button that opens the browser's file dialog. */
export function FilePick({ label, accept, onFile, disabled = false, small = false }: FilePickProps) {
  const id = useId();
  return (
    <label htmlFor={id} className={buttonLook('plain', small)}>
      <FileUp aria-hidden className="size-4" />
      {label}
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onFile(file);
          // The same file may be chosen again after a change.
          target.value = '';
        }}
      />
    </label>
  );
}
