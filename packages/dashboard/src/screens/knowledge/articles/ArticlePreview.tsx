import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { call } from '../../../api.ts';
import '../article.css';
import { parseApart } from '../../../policy/trusted.ts';
import { t } from '../t.ts';

const PAUSE_MS = 250;

/** The text as readers will see it, rendered by the server like all articles. */
export function ArticlePreview({ body }: { body: string }) {
  const [shown, setShown] = useState(body);
  useEffect(() => {
    const timer = setTimeout(() => setShown(body), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [body]);
  const { data } = useQuery({
    queryKey: ['article-preview', shown],
    queryFn: ({ signal }) => call('articles.render', { body: shown }, signal),
    enabled: shown.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const place = useRef<HTMLDivElement>(null);
  const html = shown.trim() === '' ? '' : (data?.html ?? '');
  useLayoutEffect(() => {
    const parsed = parseApart(html);
    place.current?.replaceChildren(...parsed.body.childNodes);
  }, [html]);
  return (
    <section
      aria-label={t('preview')}
      className="scroll-y min-h-96 grow rounded-lg border bg-surface px-5 py-4"
    >
      {html === '' ? <p className="text-faint">{t('preview_none')}</p> : null}
      <div ref={place} dir="auto" className="article-text" />
    </section>
  );
}
