import type { KnowledgeSource } from '@foyer/protocol';
import { KNOWLEDGE_FILE_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Files, FileText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, putBytes } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { tCommon } from '../../../t-common.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { FilePick } from '../../../ui/FilePick.tsx';
import { useFileDrop } from '../../../ui/forms/file-drop.ts';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { KnowledgeTabs } from '../KnowledgeTabs.tsx';
import { SourceFigures, SourceProblem, SourceState } from './SourceFigures.tsx';
import { sourcesQuery } from './source-queries.ts';
import { t } from './t.ts';

const ACCEPTED =
  '.pdf,.docx,application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** What the bot answers from besides articles. */
export function SourcesScreen() {
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery(sourcesQuery);
  return (
    <Page place="sources" title={tCommon('nav_knowledge')} tabs={<KnowledgeTabs />}>
      <Section title={t('title')} intro={t('intro')}>
        {isAdmin ? <UploadBox /> : null}
        {!data ? (
          <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
        ) : data.items.length === 0 ? (
          <Empty icon={<Files />} title={t('empty')}>
            {t(isAdmin ? 'empty_hint' : 'empty_agents')}
          </Empty>
        ) : (
          <Rows label={t('title')}>
            {data.items.map((source) => (
              <SourceRow key={source.id} source={source} isAdmin={isAdmin} />
            ))}
          </Rows>
        )}
      </Section>
    </Page>
  );
}

async function uploadFile(file: File): Promise<void> {
  const { name } = file;
  if (file.size > KNOWLEDGE_FILE_MAX_BYTES)
    throw new Error(t('too_large', { name, megabytes: KNOWLEDGE_FILE_MAX_BYTES / 1024 ** 2 }));
  await putBytes(`/app/knowledge-files?name=${encodeURIComponent(name)}`, file);
}

/** Where files are dropped or chosen, one at a time. */
function UploadBox() {
  const client = useQueryClient();
  const upload = useMutation({
    mutationFn: uploadFile,
    onSuccess: () => client.invalidateQueries({ queryKey: ['sources'] }),
  });
  const take = (file: File | undefined): void => {
    if (file && !upload.isPending) upload.mutate(file);
  };
  const { over, dropProps } = useFileDrop(take);
  return (
    <>
      <fieldset
        aria-label={t('upload')}
        className={cx(
          'mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-line-strong border-dashed p-4',
          over && 'bg-accent-ground',
        )}
        {...dropProps}
      >
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
    </>
  );
}

function SourceRow({ source, isAdmin }: { source: KnowledgeSource; isAdmin: boolean }) {
  const { address: name } = source;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <li className="flex min-h-14 items-start gap-2 py-2 ps-4 pe-2">
      <FileText aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <SourceName source={source} />
          <SourceState of={source} />
        </p>
        <SourceFigures of={source} />
        <SourceProblem of={source} />
      </div>
      {isAdmin ? (
        <IconButton label={t('delete_named', { name })} onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      ) : null}
      <DeleteSource source={source} open={isDeleting} onClose={() => setDeleting(false)} />
    </li>
  );
}

/** The name, which leads to the text once there is one. */
function SourceName({ source: { address, document_id: id, documents } }: { source: KnowledgeSource }) {
  const name = <bdi>{address}</bdi>;
  if (id === null || documents === 0) return <span className={cx(LINE, 'font-medium')}>{name}</span>;
  return (
    <Link
      to="/knowledge/documents/$documentId"
      params={{ documentId: String(id) }}
      className={cx(LINE, 'font-medium hover:underline')}
    >
      {name}
    </Link>
  );
}

interface DeleteSourceProps {
  source: KnowledgeSource;
  open: boolean;
  onClose: () => void;
}

function DeleteSource({ source: { id, address: name }, open, onClose }: DeleteSourceProps) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('delete_question', { name })}
      action={t('delete')}
      run={() => call('knowledge_sources.delete', { id })}
      onDone={async () => {
        onClose();
        await client.invalidateQueries({ queryKey: ['sources'] });
        toast.success(t('deleted', { name }));
      }}
    >
      {t('delete_hint')}
    </ConfirmAction>
  );
}
