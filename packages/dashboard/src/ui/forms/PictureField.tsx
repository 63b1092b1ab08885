import { useMutation } from '@tanstack/react-query';
import { ImagePlus } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { ApiError } from '../../api.ts';
import { base64OfPicture, PICTURE_TYPES } from '../../picture-file.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../Button.tsx';
import { cx } from '../classes.ts';
import { ErrorNote } from '../ErrorNote.tsx';
import { useFileDrop } from './file-drop.ts';
import { t } from './t.ts';

interface PictureFieldProps {
  label: string;
  hint: string;
  /** The current picture. */
  preview: ReactNode;
  isSet: boolean;
  disabled?: boolean;
  /** Null removes the picture. */
  save: (content: string | null) => Promise<unknown>;
}

/** A picture that is chosen or dropped, and saved immediately. */
export function PictureField({ label, hint, preview, isSet, disabled = false, save }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const change = useMutation({
    mutationFn: async (file: File | null) => save(file && (await base64OfPicture(file))),
  });
  const { over, dropProps } = useFileDrop((file) => {
    if (file) change.mutate(file);
  });
  return (
    <fieldset {...(disabled || change.isPending ? {} : dropProps)}>
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
            {t(isSet ? 'picture_change' : 'picture_choose')}
          </Button>
          {isSet ? (
            <Button
              small
              look="danger-quiet"
              busy={change.isPending}
              disabled={disabled}
              onClick={() => change.mutate(null)}
            >
              {t('picture_remove')}
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
      <Failure error={change.error} />
    </fieldset>
  );
}

/** Why the picture was rejected: the server's error, or another failure. */
function Failure({ error }: { error: Error | null }) {
  if (!error) return null;
  const problem = error instanceof ApiError ? error.issue('content') : undefined;
  if (!problem) return <ErrorNote error={error} title={tCommon('picture_failed')} className="mt-2" />;
  return (
    <p role="alert" className="mt-1 text-danger-text">
      {t('picture_refused', { problem })}
    </p>
  );
}
