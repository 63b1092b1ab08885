import type { RefObject } from 'react';
import { PICTURE_TYPES } from '../../picture-file.ts';

interface PicturePickerProps {
  /** A button beside it opens the browser's dialog by a click on this. */
  picker: RefObject<HTMLInputElement | null>;
  label: string;
  onPictures: (files: Iterable<File>) => void;
}

/** The browser's dialog for pictures, which nobody sees until it is opened. */
export const PicturePicker = ({ picker, label, onPictures }: PicturePickerProps) => (
  <input
    ref={picker}
    type="file"
    accept={PICTURE_TYPES}
    multiple
    tabIndex={-1}
    aria-label={label}
    className="sr-only"
    onChange={({ target }) => {
      onPictures(target.files ?? []);
      // The same picture may be chosen again.
      target.value = '';
    }}
  />
);
