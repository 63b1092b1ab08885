import type { Article, ArticleStatus } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BookOpen, FileUp, MessageCircleQuestion, Plus } from 'lucide-react';
import { articlesQuery } from '../../queries.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { ARTICLE_STATUS, STATUS_TONES } from './article-words.ts';
import { useCategories } from './categories.ts';

const route = getRouteApi('/desk/knowledge');

/** What the bot may answer from. */
export function KnowledgeScreen() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(articlesQuery(filter));
  const articles = list.data?.pages.flatMap((page) => page.items) ?? [];
  const categories = useCategories(filter.category);
  const filtered = Boolean(filter.q || filter.status || filter.category);
  const set = (name: 'q' | 'status' | 'category', value: string): void =>
    void navigate({
      search: (before) => {
        const { [name]: _, ...rest } = before;
        return value ? { ...rest, [name]: value } : rest;
      },
      replace: true,
    });
  return (
    <Page
      wide
      place={`knowledge ${JSON.stringify(filter)}`}
      title="Knowledge"
      intro="The bot answers only from published articles, and names the one it used."
      actions={
        <>
          <Link to="/knowledge/starters" className={buttonLook()}>
            <MessageCircleQuestion aria-hidden className="size-4" />
            Starters
          </Link>
          <Link to="/knowledge/import" className={buttonLook()}>
            <FileUp aria-hidden className="size-4" />
            Import
          </Link>
          <Link to="/knowledge/new" className={buttonLook('primary')}>
            <Plus aria-hidden className="size-4" />
            New article
          </Link>
        </>
      }
      tools={
        <>
          <div className="flex min-w-48 flex-1 max-sm:basis-full">
            <SearchField label="Search in articles" value={filter.q ?? ''} onChange={(q) => set('q', q)} />
          </div>
          <SelectField
            bare
            label="Status"
            frame="w-36 max-sm:flex-1"
            value={filter.status ?? ''}
            onChange={(event) => set('status', event.target.value)}
          >
            <option value="">Every status</option>
            {Object.values(ARTICLE_STATUS).map((status) => (
              <option key={status}>{status}</option>
            ))}
          </SelectField>
          <SelectField
            bare
            label="Category"
            frame="w-44 max-sm:flex-1"
            value={filter.category ?? ''}
            onChange={(event) => set('category', event.target.value)}
          >
            <option value="">Every category</option>
            {categories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </SelectField>
        </>
      }
    >
      <PagedList
        list={list}
        count={articles.length}
        label="Articles"
        failed="The articles could not be loaded."
        empty={
          filtered ? (
            <Empty
              icon={<BookOpen />}
              title="Nothing found"
              action={<Button onClick={() => void navigate({ search: {} })}>Clear search and filters</Button>}
            >
              No article fits what you look for.
            </Empty>
          ) : (
            <Empty
              icon={<BookOpen />}
              title="The bot knows nothing yet"
              action={
                <Link to="/knowledge/import" className={buttonLook('primary')}>
                  Import articles
                </Link>
              }
            >
              Bring your articles as one markdown text, or write the first one here.
            </Empty>
          )
        }
      >
        {articles.map((article) => (
          <ArticleRow key={article.id} article={article} />
        ))}
      </PagedList>
    </Page>
  );
}

function ArticleRow({ article }: { article: Article }) {
  return (
    <li className="[contain-intrinsic-size:auto_48px] [content-visibility:auto]">
      <Link
        to="/knowledge/$articleId"
        params={{ articleId: String(article.id) }}
        className="-outline-offset-2 flex min-h-12 items-center gap-4 px-4 py-2 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">
            <bdi>{article.title}</bdi>
          </span>
          {article.category ? (
            <span className="block truncate text-soft text-xs md:hidden">{article.category}</span>
          ) : null}
        </span>
        <span className="w-44 shrink-0 truncate text-soft max-md:hidden">{article.category}</span>
        <span className="w-20 shrink-0 text-end md:text-start">
          <StatusBadge status={article.status} />
        </span>
        <span className="w-16 shrink-0 text-end text-faint text-xs max-sm:hidden">
          <Ago utc={article.updated_utc} />
        </span>
      </Link>
    </li>
  );
}

export const StatusBadge = ({ status }: { status: ArticleStatus }) => (
  <Badge tone={STATUS_TONES[status]}>{status}</Badge>
);
