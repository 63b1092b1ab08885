import type { ImportOutcome, ImportPreview, ImportResult } from '@foyer/protocol';
import { IMPORT_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Download, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { FilePick } from '../../ui/FilePick.tsx';
import { TextArea } from '../../ui/forms/Field.tsx';
import { useFileDrop } from '../../ui/forms/file-drop.ts';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Callout } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { useArrival } from './articles/arrival.ts';
import { problemWords } from './problem-words.ts';
import { saveExport } from './save-export.ts';
import { t } from './t.ts';

/** Rows shown before "Show more". */
const ROWS_SHOWN = 200;
const MEGABYTES_MAX = IMPORT_MAX_BYTES / 1024 ** 2;

/** The text to import, its check, and the import. Changing the text discards the check. */
function useTextImport() {
  const [text, setText] = useState('');
  const client = useQueryClient();
  const preview = useMutation({ mutationFn: () => call('articles.preview_import', { text }) });
  const run = useMutation({
    mutationFn: () => call('articles.import', { text }),
    onSuccess: () => {
      preview.reset();
      setText('');
      void client.invalidateQueries({ queryKey: ['articles'] });
      void client.invalidateQueries({ queryKey: ['categories'] });
    },
  });
  return {
    text,
    preview,
    run,
    write: (next: string): void => {
      preview.reset();
      run.reset();
      setText(next);
    },
  };
}

/** Imports many articles from one markdown text, with a preview. */
export function ImportScreen() {
  const textImport = useTextImport();
  const { preview, run } = textImport;
  const [isBack, setIsBack] = useState(false);
  const isAdmin = useMay('knowledge');
  return (
    <Page
      place="import"
      title={t('transfer')}
      back={{ to: '/knowledge', label: t('all_articles') }}
      actions={isAdmin ? <ExportButton /> : null}
    >
      {run.data ? <Result result={run.data} /> : null}
      {run.error ? <ErrorNote error={run.error} title={t('import_failed')} className="mb-6" /> : null}
      {preview.data ? (
        <Preview
          preview={preview.data}
          busy={run.isPending}
          onImport={() => run.mutate()}
          onBack={() => {
            setIsBack(true);
            preview.reset();
          }}
        />
      ) : (
        <>
          <TextSection textImport={textImport} autoFocus={isBack} />
          <Section title={t('read_how')}>
            <ul className="list-disc space-y-1 ps-5 text-soft">
              <li>{t('read_lines')}</li>
              <li>{t('read_title')}</li>
              <li>{t('read_status')}</li>
              <li>{t('read_same')}</li>
            </ul>
          </Section>
        </>
      )}
    </Page>
  );
}

/** Reads a text file, unless it is too large. */
function useTextFile(onText: (text: string) => void) {
  const [refused, setRefused] = useState<string | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > IMPORT_MAX_BYTES)
      return setRefused(t('file_large', { name: file.name, megabytes: MEGABYTES_MAX }));
    setRefused(null);
    onText(await file.text());
  };
  return { refused, read };
}

interface TextSectionProps {
  textImport: ReturnType<typeof useTextImport>;
  autoFocus: boolean;
}

/** The text, typed or from a chosen or dropped file. */
function TextSection({ textImport, autoFocus }: TextSectionProps) {
  const { text, write, preview } = textImport;
  const { refused, read } = useTextFile(write);
  const bytes = new Blob([text]).size;
  const tooBig = bytes > IMPORT_MAX_BYTES;
  const { over, dropProps } = useFileDrop((file) => void read(file));
  return (
    <Section
      title={t('markdown')}
      intro={t('markdown_hint')}
      actions={
        <FilePick
          small
          label={t('file')}
          accept=".md,.markdown,.txt,text/markdown,text/plain"
          onFile={(file) => void read(file)}
        />
      }
    >
      {refused ? <p className="mb-2 text-danger-text">{refused}</p> : null}
      <fieldset
        aria-label={t('markdown_drop')}
        className={cx('rounded-lg', over && 'outline-2 outline-accent outline-dashed')}
        {...dropProps}
      >
        <TextArea
          bare
          label={t('markdown')}
          rows={16}
          autoFocus={autoFocus}
          placeholder={t('markdown_example')}
          className="min-h-72 resize-y font-mono text-[13px] leading-5"
          value={text}
          error={tooBig ? t('text_large', { megabytes: MEGABYTES_MAX }) : undefined}
          onChange={(event) => write(event.target.value)}
        />
      </fieldset>
      {preview.error ? <ErrorNote error={preview.error} title={t('check_failed')} className="mt-3" /> : null}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="tabular text-soft">
          {text
            ? t('size', { size: Math.round(bytes / 102.4) / 10 })
            : t('text_how', { megabytes: MEGABYTES_MAX })}
        </p>
        <Button
          look="primary"
          disabled={text.trim() === '' || tooBig}
          busy={preview.isPending}
          onClick={() => preview.mutate()}
        >
          {t(preview.isPending ? 'checking' : 'check')}
        </Button>
      </div>
    </Section>
  );
}

function ExportButton() {
  const save = useMutation({
    mutationFn: saveExport,
    onError: (error) => toast.error(t('export_failed'), error),
  });
  return (
    <Button
      icon={<Download aria-hidden className="size-4" />}
      busy={save.isPending}
      onClick={() => save.mutate()}
    >
      {t(save.isPending ? 'exporting' : 'export')}
    </Button>
  );
}

const OUTCOME_TONES: Record<ImportOutcome, 'good' | 'accent' | 'plain'> = {
  created: 'good',
  updated: 'accent',
  unchanged: 'plain',
};

interface PreviewProps {
  preview: ImportPreview;
  busy: boolean;
  onImport: () => void;
  onBack: () => void;
}

/** What would happen to each document. */
function Preview({ preview, busy, onImport, onBack }: PreviewProps) {
  const [most, setMost] = useState(ROWS_SHOWN);
  const changes = preview.created + preview.updated;
  const { documents } = preview;
  const place = useArrival<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="space-y-4 outline-none">
      <Callout icon={<CircleCheck aria-hidden />}>
        <p className="font-medium">
          {t('would', {
            count: preview.created,
            updated: preview.updated,
            unchanged: preview.unchanged,
          })}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button look="primary" small busy={busy} disabled={changes === 0} onClick={onImport}>
            {busy ? t('importing') : t('import_count', { count: changes })}
          </Button>
          <Button small onClick={onBack}>
            {t('import_back')}
          </Button>
        </div>
      </Callout>
      {preview.failed_count > 0 ? <Failed failed={preview.failed} total={preview.failed_count} /> : null}
      {documents.length > 0 ? (
        <Rows label={t('would_list')}>
          {documents.slice(0, most).map(({ index, line, title, category, status, outcome }) => (
            <li key={index} className="flex items-center gap-4 px-4 py-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">
                  <bdi>{title}</bdi>
                </span>
                <span className="block truncate text-faint text-xs">
                  {t('line', { line })}
                  {category ? ` · ${category}` : ''}
                  {status ? ` · ${t(`status_${status}`)}` : ''}
                </span>
              </span>
              <Badge tone={OUTCOME_TONES[outcome]}>{t(`outcome_${outcome}`)}</Badge>
            </li>
          ))}
        </Rows>
      ) : null}
      {documents.length > most ? (
        <div className="text-center">
          <Button onClick={() => setMost(most + ROWS_SHOWN)}>{tCommon('show_more')}</Button>
        </div>
      ) : null}
    </div>
  );
}

function Failed({ failed, total }: { failed: ImportResult['failed']; total: number }) {
  return (
    <section>
      <h2 className="mb-2 flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-4 text-warn-text" />
        {t('refused', { count: total })}
      </h2>
      <Rows label={t('refused_list')}>
        {failed.slice(0, ROWS_SHOWN).map((one) => (
          <li key={one.index} className="flex flex-wrap gap-x-4 px-4 py-2.5">
            <span className="tabular w-44 shrink-0 text-soft">
              {t('refused_where', { index: one.index, line: one.line })}
            </span>
            <span className="wrap-anywhere min-w-0">{problemWords(one)}</span>
          </li>
        ))}
      </Rows>
    </section>
  );
}

function Result({ result }: { result: ImportResult }) {
  const parts = [
    result.created ? t('done_created', { count: result.created }) : '',
    result.updated ? t('done_updated', { number: result.updated }) : '',
    result.unchanged ? t('done_unchanged', { number: result.unchanged }) : '',
    result.failed.length ? t('done_failed', { number: result.failed.length }) : '',
  ].filter(Boolean);
  const failed = result.failed.length > 0;
  const place = useArrival<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} role="status" className="mb-6 space-y-3 outline-none">
      <Callout
        tone={failed ? 'warn' : 'plain'}
        icon={failed ? <TriangleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      >
        <p className="font-medium">{parts.length ? `${parts.join(', ')}.` : t('done_nothing')}</p>
        <Link to="/knowledge" className="text-accent-text hover:underline">
          {t('done_see')}
        </Link>
      </Callout>
      {failed ? <Failed failed={result.failed} total={result.failed.length} /> : null}
    </div>
  );
}
