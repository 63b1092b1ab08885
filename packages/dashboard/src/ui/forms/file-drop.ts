import { type DragEvent, useState } from 'react';

/** Makes an element one that files can be dropped on; `over` while one is held above it. */
export function useFileDrop(take: (file: File | undefined) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    dropProps: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        // Text that is moved within what is written is its box's own.
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      },
    },
  };
}
