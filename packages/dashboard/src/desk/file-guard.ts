import { useEffect } from 'react';

/** Whether a drag brings files, not text or a row. */
export const carriesFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

/** A file that is let go beside the place for it would be opened instead of the desk. */
export function useFileGuard(): void {
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (event.defaultPrevented || !carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', hold);
    addEventListener('drop', hold);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('drop', hold);
    };
  }, []);
}
