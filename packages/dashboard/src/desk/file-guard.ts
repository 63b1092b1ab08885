import { useEffect } from 'react';

/** Whether a drag contains files, not text or a row. */
export const carriesFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') ?? false;

/** Prevents the browser from opening a file that is dropped beside its target. */
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
