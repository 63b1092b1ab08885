import { SEARCH_MAX } from '@foyer/protocol/values/bounds';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { call, callPage } from '../../../api.ts';
import { PickDialog } from '../../../ui/dialogs/PickDialog.tsx';
import { helpCentreQuery } from '../../knowledge/help-centre-query.ts';
import { t } from './t.ts';

const SHOWN = 8;
/** So many that have the words are put in order by how well they meet them. */
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

interface ArticleFinderProps {
  /** A link in markdown. */
  onInsert: (link: string) => void;
  onClose: () => void;
}

/** What would end the words of a link in markdown. */
const withoutBrackets = (title: string): string => title.replace(/[[\]\\]/g, ' ').trim();

/** Finds a published article by its words, for a link to it where one writes. */
export function ArticleFinder({ onInsert, onClose }: ArticleFinderProps) {
  const [q, setQ] = useState('');
  const typed = q.trim();
  const help = useQuery(helpCentreQuery).data;
  const { data } = useQuery({
    queryKey: ['articles', 'found', typed],
    queryFn: ({ signal }) => findArticles(typed, signal),
    placeholderData: keepPreviousData,
  });
  const isOff = help?.enabled === false;
  const articles = help && !isOff ? (data ?? []) : [];
  const insert = (title: string, slug: string): void => {
    onClose();
    onInsert(`[${withoutBrackets(title)}](${help?.url}/articles/${encodeURIComponent(slug)})`);
  };
  return (
    <PickDialog
      label={t('article_link')}
      placeholder={t('article_find')}
      search={q}
      onSearch={setQ}
      onClose={onClose}
      maxLength={SEARCH_MAX}
      command={{ shouldFilter: false }}
    >
      <Command.List label={t('articles')} className="scroll-y max-h-[50dvh] p-2">
        {isOff || (data && help) ? (
          <Command.Empty className="px-3 py-4 text-center text-soft">
            {t(isOff ? 'articles_off' : 'article_none')}
          </Command.Empty>
        ) : null}
        {articles.map(({ id, title, slug, category }) => (
          <Command.Item
            key={id}
            value={String(id)}
            onSelect={() => insert(title, slug)}
            className="flex h-10 cursor-default items-center gap-3 rounded-lg px-3 data-[selected=true]:bg-hover max-md:h-11"
          >
            <BookOpen aria-hidden className="size-4 shrink-0 text-soft" />
            <span className="min-w-0 flex-1 truncate">
              <bdi>{title}</bdi>
            </span>
            <bdi className="max-w-40 shrink-0 truncate text-faint text-xs max-sm:hidden">{category}</bdi>
          </Command.Item>
        ))}
      </Command.List>
    </PickDialog>
  );
}
