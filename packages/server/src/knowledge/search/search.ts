import type { KnowledgePassage } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { idOfKind } from './source-ids.ts';

/** One article must not fill the result if others match too. */
const PASSAGES_OF_ONE = 2;

/** Searches what the bot would answer from: the published articles as they are committed now. */
export async function searchKnowledge(
  { services, site }: SiteContext,
  { q, limit }: { q: string; limit: number },
): Promise<{ passages: KnowledgePassage[] }> {
  const index = await services.indexes.indexOf(site.id);
  const hits = index.search(q, limit);
  const found = hits.flatMap(({ passages }) =>
    passages.filter(({ value }, place) => place === 0 || value > 0).slice(0, PASSAGES_OF_ONE),
  );
  return {
    passages: found.slice(0, limit).map(({ passage, coverage }) => ({
      article_id: idOfKind('article', passage.articleId),
      document_id: idOfKind('document', passage.articleId),
      title: passage.title,
      headings: [...passage.headings],
      text: passage.markdown,
      coverage: Math.round(coverage * 100) / 100,
    })),
  };
}
