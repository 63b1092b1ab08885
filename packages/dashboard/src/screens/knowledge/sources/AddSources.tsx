import { KNOWLEDGE_FILE_MAX_BYTES, SOURCE_URL_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { call, putBytes } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { FilePick } from '../../../ui/FilePick.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { useFileDrop } from '../../../ui/forms/file-drop.ts';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { t } from './t.ts';

const ACCEPTED =
  '.pdf,.docx,application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function uploadFile(file: File): Promise<void> {
  const { name } = file;
  if (file.size > KNOWLEDGE_FILE_MAX_BYTES)
    throw new Error(t('too_large', { name, megabytes: KNOWLEDGE_FILE_MAX_BYTES / 1024 ** 2 }));
  await putBytes(`/app/knowledge-files?name=${encodeURIComponent(name)}`, file);
}

/** Where files are dropped or chosen, one at a time, and addresses are entered. */
export function AddSources() {
  const client = useQueryClient();
  const upload = useMutation({
    mutationFn: uploadFile,
    onSuccess: () => client.invalidateQueries({ queryKey: ['sources'] }),
  });
  const take = (file: File | undefined): void => {
    if (file && !upload.isPending) upload.mutate(file);
  };
  const { over, dropProps } = useFileDrop(take);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <fieldset
        aria-label={t('add')}
        className={cx(
          'mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-line-strong border-dashed p-4',
          over && 'bg-accent-ground',
        )}
        {...dropProps}
      >
        <Button icon={<Globe aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
          {t('add_page')}
        </Button>
        <FilePick
          label={t(upload.isPending ? 'uploading' : 'upload')}
          accept={ACCEPTED}
          disabled={upload.isPending}
          onFile={take}
        />
        <p className="min-w-0 flex-1 basis-60 text-soft">{t('drop')}</p>
      </fieldset>
      {upload.error ? (
        <ErrorNote
          error={upload.error}
          title={t('upload_failed', { name: upload.variables?.name ?? '' })}
          className="mb-4"
        />
      ) : null}
      {isAdding ? <PageDialog onClose={() => setAdding(false)} /> : null}
    </>
  );
}

function PageDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [kind, setKind] = useState<'page' | 'sitemap'>('page');
  const form = useForm({
    initial: { url: '' },
    save: ({ url }) => call('knowledge_sources.create', { kind, url }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: ['sources'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('add_page')}
      form={form}
      action={t('add_short')}
      failure={t('add_failed')}
      onClose={onClose}
    >
      <Segments
        label={t('kind')}
        value={kind}
        options={[
          { value: 'page', label: t('kind_page') },
          { value: 'sitemap', label: t('kind_sitemap') },
        ]}
        onChange={setKind}
      />
      <TextField
        label={t('url')}
        type="url"
        dir="ltr"
        required
        autoFocus
        maxLength={SOURCE_URL_MAX}
        placeholder={t(kind === 'page' ? 'url_page_example' : 'url_sitemap_example')}
        hint={t(kind === 'page' ? 'url_page_hint' : 'url_sitemap_hint')}
        {...form.text('url')}
      />
    </FormDialog>
  );
}
