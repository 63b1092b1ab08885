import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../../call-queries.ts';
import { Section } from '../../../ui/Page.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { sizeInWords } from './size-words.ts';
import { t } from './t.ts';

/** Storage by kind of data. The longest bar is the one to keep for a shorter time. */
export function Storage() {
  const { data, error, refetch } = useQuery(callQuery(['usage', 'storage'], 'usage.storage', {}));
  const kinds = data?.kinds.toSorted((one, other) => other.bytes - one.bytes) ?? [];
  const all = kinds.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = kinds[0];
  return (
    <Section
      title={t('storage_question')}
      intro={
        most && most.bytes > 0
          ? t('storage_answer', { size: sizeInWords(all), kind: t(`storage_${most.kind}`) })
          : undefined
      }
    >
      {data ? (
        <ul aria-label={t('storage_question')} className="space-y-3">
          {kinds.map(({ kind, records, bytes }) => (
            <li key={kind} className="grid grid-cols-[1fr_auto] gap-x-3">
              <span>
                {t(`storage_${kind}`)} <span className="text-soft">{t('records', { count: records })}</span>
              </span>
              <span className="tabular text-end">{sizeInWords(bytes)}</span>
              <span
                aria-hidden
                className="col-span-2 mt-1 h-2 forced-color-adjust-none rounded-full bg-pressed"
              >
                <span
                  className="block h-2 rounded-full bg-accent"
                  style={{ width: `${most && most.bytes > 0 ? Math.round((bytes / most.bytes) * 100) : 0}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('storage_failed')} rows={4} />
      )}
      {data?.files_max_bytes ? (
        <p className="mt-3">{t('storage_quota', { size: sizeInWords(data.files_max_bytes) })}</p>
      ) : null}
      <p className="mt-3 text-soft text-xs">{t('storage_note')}</p>
    </Section>
  );
}
