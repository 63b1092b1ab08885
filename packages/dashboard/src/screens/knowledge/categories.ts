import { queryOptions, useQuery } from '@tanstack/react-query';
import { callPages } from '../../api.ts';

/** All categories in their order. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => (await callPages('categories.list', {}, signal)).items,
});

/** The names of all categories in order, always including the chosen one. */
export function useCategories(chosen?: string): string[] {
  const { data } = useQuery(categoriesQuery);
  const names = new Set(data?.map(({ name }) => name));
  if (chosen) names.add(chosen);
  return [...names];
}
