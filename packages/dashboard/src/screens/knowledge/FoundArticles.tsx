import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { BookOpen } from 'lucide-react';
import { call, callPage } from '../../api.ts';
import { FOUND_ROW } from '../../ui/dialogs/found-row.ts';
import { helpCentreQuery } from './help-centre-query.ts';

const SHOWN = 8;
/** How many of the matching articles are ranked. */
const RANKED = 50;
const PASSAGES = 20;

async function findArticles(q: string, signal: AbortSignal) {
  const filter = { status: 'Published', limit: q ? RANKED : SHOWN } as const;
  if (q === '') return (await callPage('articles.list', filter, signal)).items;
  const [{ items }, { passages }] = await Promise.all([
    callPage('articles.list', { ...filter, q }, signal),
    call('knowledge.search', { q, limit: PASSAGES }, signal),
  ]);
  const place = (id: number): number => {
    const at = passages.findIndex(({ article_id }) => article_id === id);
    return at === -1 ? PASSAGES : at;
  };
  return items.toSorted((a, b) => place(a.id) - place(b.id)).slice(0, SHOWN);
}

interface FoundArticle {
  id: number;
  title: string;
  category: string | null;
  /** The article's address for readers. */
  url: string;
}

interface Found {
  articles: readonly FoundArticle[];
  /** The help centre is off, so there are no pages to link to. */
  isOff: boolean;
  isKnown: boolean;
}

/** Published articles found by their words, best first. */
export function useFoundArticles(q: string): Found {
  const help = useQuery(helpCentreQuery).data;
  const { data } = useQuery({
    queryKey: ['articles', 'found', q],
    queryFn: ({ signal }) => findArticles(q, signal),
    placeholderData: keepPreviousData,
  });
  const isOff = help?.enabled === false;
  const shown = help && !isOff ? (data ?? []) : [];
  return {
    articles: shown.map(({ id, title, category, slug }) => ({
      id,
      title,
      category,
      url: `${help?.url}/articles/${encodeURIComponent(slug)}`,
    })),
    isOff,
    isKnown: isOff || (data !== undefined && help !== undefined),
  };
}

interface FoundArticlesProps {
  found: Found;
  onChoose: (article: FoundArticle) => void;
}

/** The rows of found articles in a `PickDialog`. */
export const FoundArticles = ({ found, onChoose }: FoundArticlesProps) =>
  found.articles.map((article) => (
    <Command.Item
      key={article.id}
      value={String(article.id)}
      onSelect={() => onChoose(article)}
      className={FOUND_ROW}
    >
      <BookOpen aria-hidden className="size-4 shrink-0 text-soft" />
      <span className="min-w-0 flex-1 truncate">
        <bdi>{article.title}</bdi>
      </span>
      <bdi className="max-w-40 shrink-0 truncate text-faint text-xs max-sm:hidden">{article.category}</bdi>
    </Command.Item>
  ));
