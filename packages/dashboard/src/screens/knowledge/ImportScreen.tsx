import type { ImportResult } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, FileUp, TriangleAlert } from 'lucide-react';
import { type ChangeEvent, useId, useState } from 'react';
import { call } from '../../api.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Callout } from '../../ui/States.tsx';
import { count } from '../../words.ts';

/** IMPORT_MAX_BYTES of the protocol (decisions 7). */
const LARGEST_BYTES = 5 * 1024 * 1024;

const EXAMPLE = `title: Returns and refunds
category: Orders
status: Published
---
You can send anything back within 30 days …
---
# How long does delivery take?
Two to four working days …`;

/** Many articles from one markdown text (decisions 7). */
export function ImportScreen() {
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const fileId = useId();
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: () => call('articles.import', { text }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['articles'] }),
  });
  const bytes = new Blob([text]).size;
  const tooBig = bytes > LARGEST_BYTES;
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const input = event.target;
    const file = input.files?.[0];
    if (!file) return;
    run.reset();
    if (file.size > LARGEST_BYTES) {
      setRefused(`“${file.name}” is larger than 5 MB. Split it in two.`);
    } else {
      setRefused(null);
      setText(await file.text());
    }
    // The same file may be chosen again after it was changed.
    input.value = '';
  };
  return (
    <Page place="import" title="Import articles" back={{ to: '/knowledge', label: 'All articles' }}>
      {run.data ? <Result result={run.data} /> : null}
      {run.error ? <ErrorNote error={run.error} title="Nothing was imported." className="mb-6" /> : null}
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
              onChange={(event) => void read(event)}
            />
          </label>
        }
      >
        {refused ? <p className="mb-2 text-danger-text">{refused}</p> : null}
        <TextArea
          bare
          label="Markdown"
          rows={16}
          placeholder={EXAMPLE}
          className="min-h-72 resize-y font-mono text-[13px] leading-5"
          value={text}
          error={tooBig ? 'is larger than 5 MB. Split it in two.' : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <p className="tabular text-soft">
            {text ? `${(bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KB` : ''}
          </p>
          <Button
            look="primary"
            disabled={text.trim() === '' || tooBig}
            busy={run.isPending}
            onClick={() => run.mutate()}
          >
            {run.isPending ? 'Importing…' : 'Import'}
          </Button>
        </div>
      </Section>
      <Section title="How it is read">
        <ul className="list-disc space-y-1 ps-5 text-soft">
          <li>Lines of title:, category: or status: between two --- belong to the article after them.</li>
          <li>
            Without a title: the first # heading is the title. An article with neither is reported below.
          </li>
          <li>A status is Draft, Published or Archived; a new article without one is a Draft.</li>
          <li>An article with the same title and category is updated, not doubled.</li>
        </ul>
      </Section>
    </Page>
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
  return (
    <div role="status" className="mb-6 space-y-3">
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
      {failed ? (
        <Rows label="Not imported">
          {result.failed.map((one) => (
            <li key={one.index} className="flex gap-4 px-4 py-2.5">
              <span className="tabular w-40 shrink-0 text-soft">
                Article {one.index}, line {one.line}
              </span>
              <span className="wrap-anywhere min-w-0">{one.message}</span>
            </li>
          ))}
        </Rows>
      ) : null}
    </div>
  );
}
