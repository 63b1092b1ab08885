import type { ArticleCause, ArticleStatus } from '@foyer/protocol';
import type { ColumnType, Generated } from 'kysely';

type Default<T> = ColumnType<T, T | undefined, T>;
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
type Timestamp = ColumnType<Date, Date | undefined, Date>;

interface Categories {
  site_id: number;
  id: Generated<number>;
  name: string;
  slug: string;
  position: number;
  created_at: Timestamp;
}

interface Articles {
  site_id: number;
  id: Generated<number>;
  title: string;
  title_key: string;
  category_id: Optional<number>;
  status: Default<ArticleStatus>;
  body: Default<string>;
  slug: string;
  version: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface FormerSlugs {
  site_id: number;
  kind: 'article' | 'category';
  slug: string;
  article_id: Optional<number>;
  category_id: Optional<number>;
}

interface ArticleVersions {
  site_id: number;
  article_id: number;
  number: number;
  title: string;
  category: string | null;
  status: ArticleStatus;
  body: string;
  cause: ArticleCause;
  agent_id: Optional<number>;
  token_id: Optional<number>;
  created_at: Date;
}

interface ArticleDrafts {
  site_id: number;
  id: Generated<number>;
  agent_id: number;
  article_id: number | null;
  base_version: number | null;
  revision: number;
  title: string;
  category: string | null;
  status: ArticleStatus;
  body: string;
  updated_at: Date;
}

interface FormerHelpSlugs {
  slug: string;
  site_id: number;
}

interface ArticleVotes {
  site_id: number;
  article_id: number;
  voter: Buffer;
  helpful: boolean;
  voted_at: Date;
}

interface ArticleRatings {
  site_id: number;
  article_id: number;
  helpful: Default<number>;
  unhelpful: Default<number>;
}

interface ArticleImages {
  site_id: number;
  id: Generated<number>;
  digest: string;
  content_type: string;
  width: number;
  height: number;
  content: Buffer;
  created_at: Date;
  used_at: Timestamp;
}

interface DeletedArticles {
  site_id: number;
  id: number;
  number: Generated<number>;
  title: string;
  category: string | null;
  status: ArticleStatus;
  body: string;
  slug: string;
  former_slugs: string[];
  helpful: number;
  unhelpful: number;
  set_question_ids: number[];
  training_row_ids: number[];
  agent_id: number | null;
  token_id: number | null;
  created_at: Date;
  deleted_at: Date;
}

interface TrainingRows {
  site_id: number;
  id: Generated<number>;
  question: string;
  question_key: string;
  answer: string;
  version: number;
  moved_at: Optional<Date>;
  article_id: Optional<number>;
  created_at: Date;
  updated_at: Date;
}

interface TrainingMoves {
  site_id: number;
  category: string | null;
  through_id: number;
  total: number;
  started_at: Date;
  ended_at: Date | null;
}

export interface ArticleTables {
  categories: Categories;
  articles: Articles;
  former_slugs: FormerSlugs;
  article_versions: ArticleVersions;
  article_drafts: ArticleDrafts;
  former_help_slugs: FormerHelpSlugs;
  article_votes: ArticleVotes;
  article_ratings: ArticleRatings;
  article_images: ArticleImages;
  deleted_articles: DeletedArticles;
  deleted_article_versions: ArticleVersions;
  training_rows: TrainingRows;
  training_moves: TrainingMoves;
}
