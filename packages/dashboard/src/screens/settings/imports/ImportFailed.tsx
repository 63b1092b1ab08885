import type { DataImport } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { inWords, type Refusal } from '../../../errors/refusals.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { CsvProblems } from './CsvProblems.tsx';
import { Forget } from './Forget.tsx';
import { t } from './t.ts';
import { useStart } from './use-start.ts';

const refusalOf = ({ reason, values, ...failure }: NonNullable<DataImport['failure']>): Refusal => ({
  ...failure,
  ...(reason ? { reason } : {}),
  ...(values ? { values } : {}),
});

/** Why an import failed, and how to continue. */
export function ImportFailed({ one }: { one: DataImport }) {
  const start = useStart(one.id);
  const { failure } = one;
  const { data } = useQuery({
    queryKey: ['imports', one.id, 'failure', failure],
    queryFn: async () => (failure ? (await inWords(refusalOf(failure))).message : ''),
  });
  const hasBegun = one.archive !== null || one.csv !== null;
  return (
    <>
      <ErrorNote error={new Error(data ?? '')} title={t(hasBegun ? 'failed_midway' : 'failed_look')} />
      {hasBegun ? (
        <p className="mt-3 max-w-xl text-soft">{t('failed_kept', { count: one.taken + one.updated })}</p>
      ) : null}
      <CsvProblems one={one} />
      {start.error ? <ErrorNote error={start.error} title={t('not_begun')} className="mt-3" /> : null}
      <div className="flex flex-wrap items-end gap-2">
        {hasBegun ? (
          <Button look="primary" busy={start.isPending} onClick={() => start.mutate({})}>
            {t('go_on')}
          </Button>
        ) : null}
        <Forget one={one} />
      </div>
    </>
  );
}
