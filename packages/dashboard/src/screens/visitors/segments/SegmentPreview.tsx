import type { SegmentRule } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { formatNumber } from '../../../language.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Face } from '../../../ui/Face.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { visitorName } from '../../../words.ts';
import { t } from '../t.ts';
import { previewQuery } from '../visitor-queries.ts';

/** Waits until typing pauses. */
const PAUSE_MS = 400;

/** The rule after a pause, compared by its text: the same rule is a new object each time. */
function useRested(rule: SegmentRule | undefined): SegmentRule | undefined {
  const text = rule && JSON.stringify(rule);
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return useMemo(() => (rested === undefined ? undefined : JSON.parse(rested)), [rested]);
}

/** How many visitors match the rule being built, and some of them. */
export function SegmentPreview({ rule }: { rule: SegmentRule | undefined }) {
  const rested = useRested(rule);
  const { data, error, isFetching } = useQuery({
    ...previewQuery(rested ?? { all: [] }),
    enabled: rested !== undefined,
  });
  return (
    <section aria-label={t('preview')} className="rounded-lg border p-4">
      <h2 className="font-medium text-soft text-xs">{t('preview')}</h2>
      {rule === undefined ? (
        <p className="mt-1 text-soft">{t('preview_incomplete')}</p>
      ) : error ? (
        <ErrorNote error={error} className="mt-2" />
      ) : (
        <p role="status" aria-busy={isFetching}>
          {data ? (
            <>
              <span className="tabular block font-semibold text-xl">
                {t(data.is_exact ? 'preview_exact' : 'preview_about', { count: data.size })}
              </span>
              <span className="text-soft">
                {data.is_exact
                  ? t('preview_of', { total: formatNumber(data.total) })
                  : t('preview_estimate', { total: formatNumber(data.total) })}
              </span>
            </>
          ) : (
            <span className="text-soft">{t('preview_counting')}</span>
          )}
        </p>
      )}
      {rule && data && data.examples.length > 0 ? (
        <>
          <h3 className="mt-4 mb-1 font-medium text-soft text-xs">{t('preview_examples')}</h3>
          <ul className="-mx-2">
            {data.examples.map((visitor) => (
              <li key={visitor.key}>
                <Link
                  to="/visitors/$key"
                  params={{ key: visitor.key }}
                  className="flex min-h-10 items-center gap-2 rounded-lg px-2 hover:bg-hover"
                >
                  <Face kind="visitor" name={visitor.name} size="small" />
                  <bdi className="min-w-0 flex-1 truncate">{visitorName(visitor)}</bdi>
                  <Ago utc={visitor.last_seen_utc} className="text-faint text-xs" />
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}
