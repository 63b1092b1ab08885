import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { tagsQuery } from '../../queries.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { sameName } from './TagDot.tsx';
import { t } from './t.ts';

/**
 * The site's tags that contain the typed text, to add to `tags` or remove. A new name first becomes a tag of the
 * site; only then `onChange` gets it.
 */
export function useTagChoice(tags: readonly string[], onChange: (tags: string[]) => void) {
  const [text, setText] = useState('');
  const client = useQueryClient();
  const all = useQuery(tagsQuery).data?.items ?? [];
  const wanted = text.trim();
  const found = all.filter((tag) => tag.name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()));
  const isNew = wanted !== '' && !all.some((tag) => sameName(tag.name, wanted));
  const has = (name: string): boolean => tags.some((one) => sameName(one, name));
  const toggle = (name: string): void =>
    onChange(has(name) ? tags.filter((one) => !sameName(one, name)) : [...tags, name]);
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('tags.create', { name: wanted }),
    onSuccess: (tag) => {
      setText('');
      void client.invalidateQueries({ queryKey: tagsQuery.queryKey });
      onChange([...tags, tag.name]);
    },
    onError: (error) => toast.error(t('tag_failed'), error),
  });
  const create = (): void => {
    if (!isPending) mutate();
  };
  /** Enter: creates the new tag, or chooses the first one found. */
  const take = (): void => {
    if (isNew) create();
    else if (found[0]) toggle(found[0].name);
  };
  return { text, setText, wanted, found, isNew, has, toggle, create, isCreating: isPending, take };
}
