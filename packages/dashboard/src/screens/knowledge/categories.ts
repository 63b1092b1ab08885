import type { Category } from '@foyer/protocol';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callPage } from '../../api.ts';

/** All categories in their order: bounded, because people make them. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => {
    const all: Category[] = [];
    let cursor: string | null = null;
    do {
      const next: { items: Category[]; next_cursor: string | null } = await callPage(
        'categories.list',
        { limit: 200, ...(cursor ? { cursor } : {}) },
        signal,
      );
      all.push(...next.items);
      cursor = next.next_cursor;
    } while (cursor && all.length < CATEGORIES_MAX);
    return all;
  },
});

/** More are not shown in a choice. */
const CATEGORIES_MAX = 1_000;

/** The names of all categories, in order; the one that is chosen is always among them. */
export function useCategories(chosen?: string): string[] {
  const { data } = useQuery(categoriesQuery);
  const names = new Set(data?.map(({ name }) => name));
  if (chosen) names.add(chosen);
  return [...names];
}
