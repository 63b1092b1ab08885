import type { Article, ArticleStatus } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import {
  BookOpen,
  Equal,
  FileUp,
  FolderTree,
  Globe,
  GraduationCap,
  MessageCircleQuestion,
  Plus,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../desk/DeskContext.tsx';
import { tCommon } from '../../t-common.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { SelectField } from '../../ui/forms/Field.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { AddSamples, SampleNotice } from '../first-steps/SampleNotice.tsx';
import { ARTICLE_STATUS, STATUS_TONES } from './articles/article-words.ts';
import { BulkBar } from './articles/BulkBar.tsx';
import { useCategories } from './categories.ts';
import { KnowledgeTabs } from './KnowledgeTabs.tsx';
import { type ArticleFilter, articlesQuery } from './knowledge-queries.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge');

/** The list's filters, which are in the address. */
function useArticleFilter() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return {
    filter,
    isFiltered: Boolean(filter.q || filter.status || filter.category),
    setFilter: (name: 'q' | 'status' | 'category', value: string): void =>
      void navigate({
        search: (before) => {
          const { [name]: _, ...rest } = before;
          return value ? { ...rest, [name]: value } : rest;
        },
        replace: true,
      }),
    clear: (): void => void navigate({ search: {} }),
  };
}

/** The articles that the bot answers from and readers can read. */
export function KnowledgeScreen() {
  const { filter, isFiltered, setFilter, clear } = useArticleFilter();
  const list = useInfiniteQuery(articlesQuery(filter));
  const articles = list.data?.pages.flatMap((page) => page.items) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const choose = (id: number, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <Page
      wide
      place={`knowledge ${JSON.stringify(filter)}`}
      title={tCommon('nav_knowledge')}
      intro={t('intro')}
      actions={<KnowledgeActions />}
      tabs={<KnowledgeTabs />}
      tools={
        <>
          <FilterFields
            filter={filter}
            onChange={(name, value) => {
              setChosen(new Set());
              setFilter(name, value);
            }}
          />
          {chosen.size > 0 ? (
            <BulkBar
              filter={filter}
              shown={articles.map(({ id }) => id)}
              hasMore={list.hasNextPage}
              chosen={chosen}
              onChoose={setChosen}
            />
          ) : null}
        </>
      }
    >
      {isFiltered ? null : <SampleNotice className="mb-4" />}
      <PagedList
        list={list}
        count={articles.length}
        label={t('articles')}
        failed={t('articles_failed')}
        empty={isFiltered ? <NothingFound onClear={clear} /> : <NoArticles />}
      >
        {articles.map((article) => (
          <ArticleRow
            key={article.id}
            article={article}
            chosen={chosen.has(article.id)}
            onChoose={(on) => choose(article.id, on)}
          />
        ))}
      </PagedList>
    </Page>
  );
}

const MORE = [
  { word: 'categories', to: '/knowledge/categories', icon: FolderTree },
  { word: 'help_centre', to: '/knowledge/help-centre', icon: Globe },
  { word: 'training', to: '/knowledge/training', icon: GraduationCap },
  { word: 'starters', to: '/knowledge/starters', icon: MessageCircleQuestion },
  { word: 'synonyms', to: '/knowledge/synonyms', icon: Equal },
  { word: 'deleted', to: '/knowledge/deleted', icon: Trash2 },
] as const;

function KnowledgeActions() {
  const go = useNavigate();
  const mayImport = useMay('knowledge');
  const mayWrite = useMay('articles');
  return (
    <>
      <Menu
        label={t('more')}
        items={MORE.map(({ word, to, icon: Icon }) => ({
          label: t(word),
          icon: <Icon aria-hidden className="size-4" />,
          onSelect: () => void go({ to }),
        }))}
      />
      {mayImport ? (
        <Link to="/knowledge/import" className={buttonLook()}>
          <FileUp aria-hidden className="size-4" />
          {t('import')}
        </Link>
      ) : null}
      {mayWrite ? (
        <Link to="/knowledge/new" className={buttonLook('primary')}>
          <Plus aria-hidden className="size-4" />
          {t('article_new')}
        </Link>
      ) : null}
    </>
  );
}

interface FilterFieldsProps {
  filter: ArticleFilter;
  onChange: (name: 'q' | 'status' | 'category', value: string) => void;
}

function FilterFields({ filter, onChange }: FilterFieldsProps) {
  const categories = useCategories(filter.category);
  return (
    <>
      <div className="flex min-w-48 flex-1 max-sm:basis-full">
        <SearchField label={t('search')} value={filter.q ?? ''} onChange={(q) => onChange('q', q)} />
      </div>
      <SelectField
        bare
        label={t('status')}
        frame="w-36 max-sm:flex-1"
        value={filter.status ?? ''}
        onChange={(event) => onChange('status', event.target.value)}
        any={t('status_all')}
        options={Object.values(ARTICLE_STATUS).map((status) => ({
          value: status,
          label: t(`status_${status}`),
        }))}
      />
      <SelectField
        bare
        label={t('category')}
        frame="w-44 max-sm:flex-1"
        value={filter.category ?? ''}
        onChange={(event) => onChange('category', event.target.value)}
        any={t('category_all')}
        options={categories.map((category) => ({ value: category, label: category }))}
      />
    </>
  );
}

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <Empty
    icon={<BookOpen />}
    title={t('nothing_found')}
    action={<Button onClick={onClear}>{t('clear')}</Button>}
  >
    {t('nothing_found_hint')}
  </Empty>
);

function NoArticles() {
  const mayImport = useMay('knowledge');
  return (
    <Empty
      icon={<BookOpen />}
      title={t('nothing')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {mayImport ? (
            <Link to="/knowledge/import" className={buttonLook('primary')}>
              {t('import_articles')}
            </Link>
          ) : null}
          <AddSamples />
        </div>
      }
    >
      {t('nothing_hint')}
    </Empty>
  );
}

interface ArticleRowProps {
  article: Article;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}

function ArticleRow({ article, chosen, onChoose }: ArticleRowProps) {
  const mayWrite = useMay('articles');
  return (
    <li className="flex [contain-intrinsic-size:auto_48px] [content-visibility:auto]">
      {mayWrite ? (
        <label className="flex shrink-0 cursor-pointer items-center ps-4 pe-1 max-md:ps-3">
          <input
            type="checkbox"
            checked={chosen}
            onChange={(event) => onChoose(event.target.checked)}
            className="size-4 accent-accent"
          />
          <span className="sr-only">{t('select_named', { title: article.title })}</span>
        </label>
      ) : null}
      <Link
        to="/knowledge/$articleId"
        params={{ articleId: String(article.id) }}
        className="-outline-offset-2 flex min-h-12 min-w-0 flex-1 items-center gap-4 px-3 py-2 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className={cx(LINE, 'block font-medium')}>
            <bdi>{article.title}</bdi>
          </span>
          {article.category ? (
            <span className="block truncate text-soft text-xs md:hidden">
              <bdi>{article.category}</bdi>
            </span>
          ) : null}
        </span>
        <span className="w-44 shrink-0 truncate text-soft max-md:hidden">
          <bdi>{article.category}</bdi>
        </span>
        <span className="shrink-0 text-end md:w-28 md:text-start">
          <StatusBadge status={article.status} />
        </span>
        <span className="w-16 shrink-0 text-end text-faint text-xs max-sm:hidden">
          <Ago utc={article.updated_utc} />
        </span>
      </Link>
    </li>
  );
}

const StatusBadge = ({ status }: { status: ArticleStatus }) => (
  <Badge tone={STATUS_TONES[status]}>{t(`status_${status}`)}</Badge>
);
