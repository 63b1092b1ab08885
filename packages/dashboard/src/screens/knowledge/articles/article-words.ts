import type { ArticleStatus } from '@foyer/protocol';

/** Every status; the type ensures that none is missing. */
export const ARTICLE_STATUS: { [S in ArticleStatus]: S } = {
  Draft: 'Draft',
  Published: 'Published',
  Archived: 'Archived',
};

export const STATUS_TONES = { Draft: 'plain', Published: 'good', Archived: 'warn' } as const;
