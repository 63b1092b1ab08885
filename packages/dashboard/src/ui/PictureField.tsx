import { useMutation } from '@tanstack/react-query';
import { ImagePlus } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { base } from '../base.ts';
import { base64OfPicture, PICTURE_TYPES } from '../picture-file.ts';
import { Button } from './Button.tsx';
import { cx } from './classes.ts';
import { ErrorNote } from './ErrorNote.tsx';

interface PictureFieldProps {
  label: string;
  hint: string;
  /** How it looks now. */
  preview: ReactNode;
  isSet: boolean;
  disabled?: boolean;
  /** Null takes the picture away. */
  save: (content: string | null) => Promise<unknown>;
}

/** A picture that is picked or dropped, and kept at once. */
export function PictureField({ label, hint, preview, isSet, disabled = false, save }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const change = useMutation({
    mutationFn: async (file: File | null) => save(file && (await base64OfPicture(file))),
  });
  const refusal = change.error instanceof ApiError ? change.error.issue('content') : undefined;
  const canDrop = !disabled && !change.isPending;
  const drop = (event: DragEvent): void => {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (!canDrop || !file) return;
    event.preventDefault();
    change.mutate(file);
  };
  return (
    <fieldset
      onDragOver={(event) => {
        if (!canDrop) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <legend className="mb-1 font-medium">{label}</legend>
      <div
        className={cx(
          'flex flex-wrap items-center gap-4 rounded-lg border border-dashed p-3',
          over ? 'border-accent bg-accent-ground' : 'border-line-strong',
        )}
      >
        {preview}
        <div className="flex flex-wrap gap-2">
          <Button
            small
            busy={change.isPending}
            disabled={disabled}
            icon={<ImagePlus aria-hidden className="size-4" />}
            onClick={() => input.current?.click()}
          >
            {base(isSet ? 'picture_change' : 'picture_choose')}
          </Button>
          {isSet ? (
            <Button
              small
              look="danger-quiet"
              busy={change.isPending}
              disabled={disabled}
              onClick={() => change.mutate(null)}
            >
              {base('picture_remove')}
            </Button>
          ) : null}
        </div>
        <input
          ref={input}
          type="file"
          accept={PICTURE_TYPES}
          tabIndex={-1}
          aria-label={label}
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) change.mutate(file);
            target.value = '';
          }}
        />
      </div>
      <p className="mt-1 text-soft">{hint}</p>
      {refusal ? (
        <p role="alert" className="mt-1 text-danger-text">
          {base('picture_refused', { problem: refusal })}
        </p>
      ) : change.error ? (
        <ErrorNote error={change.error} title={base('picture_failed')} className="mt-2" />
      ) : null}
    </fieldset>
  );
}
