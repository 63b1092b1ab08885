import type { DataImport } from '@foyer/protocol';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { exact } from '../../../times.ts';
import { Rows, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { CsvProblems } from './CsvProblems.tsx';
import { t } from './t.ts';

/** What was imported and what wasn't. */
export function ImportResult({ one }: { one: DataImport }) {
  const failed = one.not_taken > 0;
  return (
    <>
      <Callout
        tone={failed ? 'warn' : 'plain'}
        icon={failed ? <TriangleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      >
        <div role="status">
          <p className="font-medium">
            {one.csv
              ? t('csv_done', { count: one.taken, updated: one.updated, unchanged: one.unchanged })
              : t('done_taken', { count: one.taken })}
          </p>
          {failed ? <p>{t('done_not_taken', { count: one.not_taken })}</p> : null}
          {one.finished_utc ? <p className="text-soft">{exact(one.finished_utc)}</p> : null}
        </div>
      </Callout>
      <CsvProblems one={one} />
      {one.refused.length > 0 ? (
        <Section title={t('refused')} intro={t('refused_hint')}>
          <Rows label={t('refused')}>
            {one.refused.map(({ table, reason }) => (
              <li key={`${table} ${reason}`} className="flex flex-wrap gap-x-4 px-4 py-2">
                <span className="w-40 shrink-0 text-soft">{table}</span>
                <span className="wrap-anywhere min-w-0 flex-1" lang="en">
                  {reason}
                </span>
              </li>
            ))}
          </Rows>
        </Section>
      ) : null}
      {one.kind === 'archive' ? (
        <Section title={t('next_title')}>
          <ul className="max-w-xl list-disc space-y-1 ps-5">
            <li>{t('next_invite')}</li>
            <li>{t('next_webhooks')}</li>
            <li>{t('next_snippet')}</li>
          </ul>
        </Section>
      ) : null}
    </>
  );
}
