import type { ArticleStatus } from '@foyer/protocol';

/** Every status; the type makes sure that none is forgotten. */
export const ARTICLE_STATUS: { [S in ArticleStatus]: S } = {
  Draft: 'Draft',
  Published: 'Published',
  Archived: 'Archived',
};

export const STATUS_TONES = { Draft: 'plain', Published: 'good', Archived: 'warn' } as const;

export const STATUS_MEANS: Record<ArticleStatus, string> = {
  Draft: 'Only your team sees it. The bot does not use it.',
  Published: 'Readers see it, and the bot answers from it.',
  Archived: 'Kept, but neither readers nor the bot see it.',
};
