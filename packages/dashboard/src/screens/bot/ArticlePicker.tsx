import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useId, useState } from 'react';
import { callPage } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { t } from './t.ts';

interface Chosen {
  id: number;
  title: string;
}

const SHOWN = 6;

/** Finds one published article by its words. */
export function ArticlePicker({
  value,
  error,
  onChange,
}: {
  value: Chosen | null;
  error?: string | undefined;
  onChange: (article: Chosen | null) => void;
}) {
  const [q, setQ] = useState('');
  const labelId = useId();
  const { data, error: unfound } = useQuery({
    queryKey: ['articles', 'pick', q],
    queryFn: ({ signal }) =>
      callPage('articles.list', { status: 'Published', limit: SHOWN, ...(q ? { q } : {}) }, signal),
    placeholderData: keepPreviousData,
    enabled: value === null,
  });
  if (value) {
    return (
      <div>
        <p className="mb-1 font-medium">{t('article')}</p>
        <div className="flex items-center gap-3 rounded-lg border p-2 ps-3">
          <FileText aria-hidden className="size-4 shrink-0 text-soft" />
          <span className="min-w-0 flex-1 truncate">
            <bdi>{value.title}</bdi>
          </span>
          <Button small onClick={() => onChange(null)}>
            {t('article_change')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div>
      <p id={labelId} className="mb-1 font-medium">
        {t('article')}
      </p>
      <SearchField label={t('article_find')} value={q} onChange={setQ} />
      <ul aria-labelledby={labelId} className="mt-2 divide-y rounded-lg border">
        {data?.items.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChange({ id, title })}
              className="-outline-offset-2 block min-h-9 w-full truncate px-3 py-1.5 text-start hover:bg-hover max-md:min-h-11"
            >
              <bdi>{title}</bdi>
            </button>
          </li>
        ))}
        {data?.items.length === 0 ? <li className="px-3 py-2 text-soft">{t('article_none')}</li> : null}
      </ul>
      {unfound ? <ErrorNote error={unfound} className="mt-2" /> : null}
      {error ? <p className="mt-1 text-danger-text">{error}</p> : null}
    </div>
  );
}
