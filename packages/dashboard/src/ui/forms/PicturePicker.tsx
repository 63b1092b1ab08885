import type { RefObject } from 'react';
import { PICTURE_TYPES } from '../../picture-file.ts';

interface PicturePickerProps {
  /** A button elsewhere opens the dialog by clicking this. */
  picker: RefObject<HTMLInputElement | null>;
  label: string;
  onPictures: (files: Iterable<File>) => void;
}

/** The browser's dialog for images, invisible until it is opened. */
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
      // The same image may be chosen again.
      target.value = '';
    }}
  />
);
