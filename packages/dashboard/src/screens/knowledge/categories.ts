import { useQuery } from '@tanstack/react-query';
import { callPage } from '../../api.ts';

/** The categories in use, from the newest articles; the one that is chosen is always among them. */
export function useCategories(chosen?: string): string[] {
  const { data } = useQuery({
    queryKey: ['articles', 'categories'],
    queryFn: ({ signal }) => callPage('articles.list', { limit: 200 }, signal),
    select: (page) => page.items.flatMap((article) => (article.category ? [article.category] : [])),
  });
  const names = new Set(data);
  if (chosen) names.add(chosen);
  return [...names].toSorted((one, two) => one.localeCompare(two));
}
