import type { ImportedQuestions, QuestionSet } from '@foyer/protocol';
import { QUESTION_FILE_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { FilePick } from '../../ui/FilePick.tsx';
import { TextArea } from '../../ui/forms/Field.tsx';
import { Callout } from '../../ui/States.tsx';
import { questionSetsQuery, setQuestionsQuery } from './bot-queries.ts';
import { t } from './t.ts';

const code = (written: string) => <code>{written}</code>;

function useImport(set: QuestionSet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => call('question_sets.import', { id: set.id, text }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: setQuestionsQuery(set.id).queryKey }),
        client.invalidateQueries({ queryKey: questionSetsQuery.queryKey, exact: true }),
      ]),
  });
}

/** Questions from a file; what is in the set gets the expectation of the file. */
export function ImportQuestions({ set, onClose }: { set: QuestionSet; onClose: () => void }) {
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const run = useImport(set);
  const read = async (file: File): Promise<void> => {
    run.reset();
    const fits = file.size <= QUESTION_FILE_MAX_BYTES;
    setRefused(
      fits ? null : t('import_large', { name: file.name, megabytes: QUESTION_FILE_MAX_BYTES / 1024 ** 2 }),
    );
    if (fits) setText(await file.text());
  };
  return (
    <Dialog
      open
      wide
      holds
      onClose={onClose}
      title={t('import_title')}
      foot={
        <>
          <Button onClick={onClose}>{run.data ? t('import_done') : tCommon('cancel')}</Button>
          <Button
            look="primary"
            busy={run.isPending}
            disabled={text.trim() === ''}
            onClick={() => run.mutate(text)}
          >
            {t('import')}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {run.data ? <Imported result={run.data} /> : null}
        {run.error ? <ErrorNote error={run.error} title={t('import_failed')} /> : null}
        <div className="flex flex-wrap items-start justify-between gap-3">
          <FormatHint />
          <FilePick
            small
            label={t('import_file')}
            accept=".csv,.tsv,.jsonl,.txt,text/csv,text/plain"
            onFile={(file) => void read(file)}
          />
        </div>
        {refused ? <p className="text-danger-text">{refused}</p> : null}
        <TextArea
          bare
          label={t('questions')}
          rows={10}
          placeholder={t('import_example')}
          className="resize-y font-mono text-[13px] leading-5"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </Dialog>
  );
}

const FormatHint = () => (
  <p className="min-w-0 flex-1 basis-60 text-soft">
    {t.rich('import_hint', {
      question: code('question'),
      expected: code('expected'),
      unknown: code('unknown'),
      handoff: code('handoff'),
    })}
  </p>
);

function Imported({ result: { created, updated, unchanged, failed } }: { result: ImportedQuestions }) {
  return (
    <Callout
      tone={failed.length > 0 ? 'warn' : 'plain'}
      icon={failed.length > 0 ? <TriangleAlert aria-hidden /> : <CircleCheck aria-hidden />}
    >
      <p role="status">
        {failed.length > 0
          ? t('imported_but', { count: created, updated, unchanged, failed: failed.length })
          : t('imported', { count: created, updated, unchanged })}
      </p>
      {failed.length > 0 ? (
        <ul className="scroll-y mt-2 max-h-40 space-y-1">
          {failed.map(({ line, message }) => (
            <li key={`${line} ${message}`} className="wrap-anywhere">
              {t('import_line', { line, message })}
            </li>
          ))}
        </ul>
      ) : null}
    </Callout>
  );
}
