import type { ImportKind } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { useFileDrop } from '../../../ui/forms/file-drop.ts';
import { Section } from '../../../ui/Page.tsx';
import { beginImport } from './send-file.ts';
import { t } from './t.ts';

interface ChooseFileProps {
  kind: ImportKind;
  title: string;
  intro: ReactNode;
  accept: string;
  children?: ReactNode;
}

/** Accepts a chosen or dropped file and opens its page while it uploads. */
export function ChooseFile({ kind, title, intro, accept, children }: ChooseFileProps) {
  const fileId = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: (file: File) =>
      beginImport(kind, file, () => void client.invalidateQueries({ queryKey: ['imports'] })),
    onSuccess: (made) => {
      client.setQueryData(['imports', made.id], made);
      return navigate({ to: '/settings/import/$importId', params: { importId: String(made.id) } });
    },
  });
  const take = (file: File | undefined): void => {
    if (file && !begin.isPending) begin.mutate(file);
  };
  const { over, dropProps } = useFileDrop(take);
  return (
    <Section title={title} intro={intro}>
      <fieldset
        aria-label={title}
        className={cx(
          'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-line-strong border-dashed p-4',
          over && 'bg-accent-ground',
        )}
        {...dropProps}
      >
        <label
          htmlFor={fileId}
          aria-busy={begin.isPending}
          className={cx(
            buttonLook('plain'),
            'focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2',
          )}
        >
          <FileUp aria-hidden className="size-4" />
          {t('choose')}
          <input
            id={fileId}
            type="file"
            aria-label={t('choose_for', { what: title })}
            accept={accept}
            disabled={begin.isPending}
            className="sr-only"
            onChange={({ target }) => {
              take(target.files?.[0]);
              // The same file may be chosen again after a change.
              target.value = '';
            }}
          />
        </label>
        <div className="min-w-0 flex-1 basis-60">{children}</div>
      </fieldset>
      {begin.error ? <ErrorNote error={begin.error} title={t('not_begun')} className="mt-3" /> : null}
    </Section>
  );
}
