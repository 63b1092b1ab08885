import type { ImportOutcome, ImportPreview, ImportResult } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Download, FileUp, TriangleAlert } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useId, useState } from 'react';
import { call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Callout } from '../../ui/States.tsx';
import { complain } from '../../ui/toast-store.ts';
import { count } from '../../words.ts';
import { useArrival } from './arrival.ts';
import { saveExport } from './save-export.ts';

/** IMPORT_MAX_BYTES of the protocol (decisions 7). */
const LARGEST_BYTES = 5 * 1024 * 1024;
/** Rows that are drawn before one asks for more. */
const ROWS_SHOWN = 200;

const EXAMPLE = `title: Returns and refunds
category: Orders
status: Published
---
You can send anything back within 30 days …
---
# How long does delivery take?
Two to four working days …`;

/** Many articles from one markdown text (decisions 7): first what it would do, then done. */
export function ImportScreen() {
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const [isBack, setIsBack] = useState(false);
  const fileId = useId();
  const client = useQueryClient();
  const isAdmin = useIsAdmin();
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
  const bytes = new Blob([text]).size;
  const tooBig = bytes > LARGEST_BYTES;
  const write = (next: string): void => {
    preview.reset();
    run.reset();
    setText(next);
  };
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > LARGEST_BYTES) return setRefused(`“${file.name}” is larger than 5 MB. Split it in two.`);
    setRefused(null);
    write(await file.text());
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <Page
      place="import"
      title="Import and export"
      back={{ to: '/knowledge', label: 'All articles' }}
      actions={isAdmin ? <ExportButton /> : null}
    >
      {run.data ? <Result result={run.data} /> : null}
      {run.error ? <ErrorNote error={run.error} title="Nothing was imported." className="mb-6" /> : null}
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
          <Section
            title="Markdown"
            intro="One text, articles separated by lines of ---. Importing it again changes only what has changed."
            actions={
              <label htmlFor={fileId} className={buttonLook('plain', true)}>
                <FileUp aria-hidden className="size-4" />
                Choose a file
                <input
                  id={fileId}
                  type="file"
                  accept=".md,.markdown,.txt,text/markdown,text/plain"
                  className="sr-only"
                  onChange={(event: ChangeEvent<HTMLInputElement>) => {
                    void read(event.target.files?.[0]);
                    // The same file may be chosen again after it was changed.
                    event.target.value = '';
                  }}
                />
              </label>
            }
          >
            {refused ? <p className="mb-2 text-danger-text">{refused}</p> : null}
            <fieldset
              aria-label="Markdown, or a file that is dropped"
              className={cx('rounded-lg', over && 'outline-2 outline-accent outline-dashed')}
              onDragOver={(event) => {
                if (!event.dataTransfer.types.includes('Files')) return;
                event.preventDefault();
                setOver(true);
              }}
              onDragLeave={() => setOver(false)}
              onDrop={drop}
            >
              <TextArea
                bare
                label="Markdown"
                rows={16}
                autoFocus={isBack}
                placeholder={EXAMPLE}
                className="min-h-72 resize-y font-mono text-[13px] leading-5"
                value={text}
                error={tooBig ? 'is larger than 5 MB. Split it in two.' : undefined}
                onChange={(event) => write(event.target.value)}
              />
            </fieldset>
            {preview.error ? (
              <ErrorNote error={preview.error} title="The text could not be checked." className="mt-3" />
            ) : null}
            <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
              <p className="tabular text-soft">
                {text
                  ? `${(bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KB`
                  : 'Paste, drop or choose a file of up to 5 MB.'}
              </p>
              <Button
                look="primary"
                disabled={text.trim() === '' || tooBig}
                busy={preview.isPending}
                onClick={() => preview.mutate()}
              >
                {preview.isPending ? 'Checking…' : 'Check what it would do'}
              </Button>
            </div>
          </Section>
          <Section title="How it is read">
            <ul className="list-disc space-y-1 ps-5 text-soft">
              <li>Lines of title:, category: or status: between two --- belong to the article after them.</li>
              <li>Without a title: the first # heading is the title. An article with neither is reported.</li>
              <li>A status is Draft, Published or Archived; a new article without one is a Draft.</li>
              <li>An article with the same title and category is updated, not doubled.</li>
            </ul>
          </Section>
        </>
      )}
    </Page>
  );
}

function ExportButton() {
  const save = useMutation({
    mutationFn: saveExport,
    onError: (error) => complain('The articles were not exported', error),
  });
  return (
    <Button
      icon={<Download aria-hidden className="size-4" />}
      busy={save.isPending}
      onClick={() => save.mutate()}
    >
      {save.isPending ? 'Exporting…' : 'Export all articles'}
    </Button>
  );
}

const OUTCOME_TONES: Record<ImportOutcome, 'good' | 'accent' | 'plain'> = {
  created: 'good',
  updated: 'accent',
  unchanged: 'plain',
};

/** What would happen: nothing has yet. */
const OUTCOME_WORDS: Record<ImportOutcome, string> = {
  created: 'New',
  updated: 'Changed',
  unchanged: 'As it is',
};

interface PreviewProps {
  preview: ImportPreview;
  busy: boolean;
  onImport: () => void;
  onBack: () => void;
}

/** What each document would do, before anything is done. */
function Preview({ preview, busy, onImport, onBack }: PreviewProps) {
  const [most, setMost] = useState(ROWS_SHOWN);
  const changes = preview.created + preview.updated;
  const { documents } = preview;
  const place = useArrival<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="space-y-4 outline-none">
      <Callout icon={<CircleCheck aria-hidden />}>
        <p className="font-medium">
          This would create {count(preview.created, 'article')}, update {preview.updated.toLocaleString()} and
          leave {preview.unchanged.toLocaleString()} as they are. Nothing is done yet.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button look="primary" small busy={busy} disabled={changes === 0} onClick={onImport}>
            {busy ? 'Importing…' : `Import ${count(changes, 'article')}`}
          </Button>
          <Button small onClick={onBack}>
            Back to the text
          </Button>
        </div>
      </Callout>
      {preview.failed_count > 0 ? <Failed failed={preview.failed} total={preview.failed_count} /> : null}
      {documents.length > 0 ? (
        <Rows label="What each document would do">
          {documents.slice(0, most).map(({ index, line, title, category, status, outcome }) => (
            <li key={index} className="flex items-center gap-4 px-4 py-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">
                  <bdi>{title}</bdi>
                </span>
                <span className="block truncate text-faint text-xs">
                  Line {line}
                  {category ? ` · ${category}` : ''}
                  {status ? ` · ${status}` : ''}
                </span>
              </span>
              <Badge tone={OUTCOME_TONES[outcome]}>{OUTCOME_WORDS[outcome]}</Badge>
            </li>
          ))}
        </Rows>
      ) : null}
      {documents.length > most ? (
        <div className="text-center">
          <Button onClick={() => setMost(most + ROWS_SHOWN)}>Show more</Button>
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
        {count(total, 'document')} can’t be taken
      </h2>
      <Rows label="Not imported">
        {failed.slice(0, ROWS_SHOWN).map((one) => (
          <li key={one.index} className="flex flex-wrap gap-x-4 px-4 py-2.5">
            <span className="tabular w-44 shrink-0 text-soft">
              Document {one.index}, line {one.line}
            </span>
            <span className="wrap-anywhere min-w-0">{one.message}</span>
          </li>
        ))}
      </Rows>
    </section>
  );
}

function Result({ result }: { result: ImportResult }) {
  const parts = [
    result.created ? `${count(result.created, 'article')} created` : '',
    result.updated ? `${result.updated.toLocaleString()} updated` : '',
    result.unchanged ? `${result.unchanged.toLocaleString()} unchanged` : '',
    result.failed.length ? `${result.failed.length.toLocaleString()} not imported` : '',
  ].filter(Boolean);
  const failed = result.failed.length > 0;
  const place = useArrival<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} role="status" className="mb-6 space-y-3 outline-none">
      <Callout
        tone={failed ? 'warn' : 'plain'}
        icon={failed ? <TriangleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      >
        <p className="font-medium">
          {parts.length ? `${parts.join(', ')}.` : 'There was no article in the text.'}
        </p>
        <Link to="/knowledge" className="text-accent-text hover:underline">
          See the articles
        </Link>
      </Callout>
      {failed ? <Failed failed={result.failed} total={result.failed.length} /> : null}
    </div>
  );
}
