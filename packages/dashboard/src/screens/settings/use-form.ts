import { useState } from 'react';

/**
 * A form over what is stored: it holds what was written here, and is else as it is stored, whoever has changed that
 * meanwhile. So news from elsewhere takes nothing away, and saving takes back nothing of theirs.
 */
export function useForm<F extends object>(stored: F) {
  const [written, setWritten] = useState<Partial<F>>({});
  const form: F = { ...stored, ...written };
  return {
    form,
    dirty: JSON.stringify(form) !== JSON.stringify(stored),
    set: (change: Partial<F>) => setWritten((before) => ({ ...before, ...change })),
    /** What is written now is saved, or not wanted any more; what was written since stays. */
    forget: () => setWritten((now) => (now === written ? {} : now)),
  };
}
