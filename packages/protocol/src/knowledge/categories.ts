import { z } from 'zod';
import { ARTICLE_CATEGORY_MAX } from '../values/bounds.ts';
import { deleted, id, page, paging, text } from '../values.ts';

export const category = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  position: z.int(),
  article_count: z.int(),
  published_count: z.int(),
});
export type Category = z.infer<typeof category>;

const name = text(1, ARTICLE_CATEGORY_MAX);

/** The categories of articles, in the help centre's order. Only for the desk. */
export const categoryContract = {
  /** By `position`, then `id`; `order=desc` reverses it. */
  'categories.list': {
    input: z.strictObject({ ...paging, order: z.enum(['asc', 'desc']).default('asc') }),
    output: page(category),
  },
  'categories.create': { input: z.strictObject({ name }), output: category },
  /** A new name gives a new slug; the old one redirects. */
  'categories.update': { input: z.strictObject({ id, name }), output: category },
  /** Moves a category before another, or (null) to the end. */
  'categories.move': { input: z.strictObject({ id, before_id: id.nullable() }), output: category },
  /** Moves all articles of one category into another and deletes it. Its address redirects. */
  'categories.merge': { input: z.strictObject({ id, into_id: id }), output: category },
  /** Its articles stay, without a category. */
  'categories.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
