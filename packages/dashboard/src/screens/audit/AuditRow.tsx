import type { AuditEntry } from '@foyer/protocol';
import { Ago } from '../../ui/Time.tsx';
import { doneOf, whoOf } from './audit-words.ts';
import { t } from './t.ts';

/** One entry, with its changed values folded below. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const changes = Object.entries(entry.changes);
  return (
    <li className="px-4 py-2.5">
      <div className="flex items-baseline justify-between gap-3">
        <p className="wrap-anywhere min-w-0">
          <span className="font-medium">{t(`subject_${entry.subject}`)}</span>
          {entry.label ? (
            <>
              {' '}
              <bdi>{entry.label}</bdi>
            </>
          ) : null}
          {': '}
          {doneOf(entry)}
        </p>
        <Ago utc={entry.created_utc} className="shrink-0 text-soft text-xs" />
      </div>
      <p className="wrap-anywhere text-soft text-xs">
        <bdi>{whoOf(entry)}</bdi>
        {entry.address ? ` · ${entry.address}` : ''}
      </p>
      {changes.length > 0 ? (
        <details className="mt-1">
          <summary className="w-fit cursor-default rounded-md py-0.5 text-soft text-xs hover:text-text">
            {t('changes', { count: changes.length })}
          </summary>
          <dl className="mt-1 space-y-2 rounded-lg bg-sunken p-3 text-xs">
            {changes.map(([field, [before, after]]) => (
              <div key={field} className="wrap-anywhere">
                <dt className="font-medium font-mono">{field}</dt>
                <dd>
                  <del className="text-soft">{valueWords(before)}</del>
                  {' → '}
                  <ins className="no-underline">{valueWords(after)}</ins>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </li>
  );
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '' || isEmptyList(value)) return t('nothing');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
