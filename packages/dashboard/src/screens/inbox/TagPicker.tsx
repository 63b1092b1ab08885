import { Popover } from '@base-ui/react/popover';
import { TAG_NAME_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { tagsQuery } from '../../queries.ts';
import { complain } from '../../ui/toast-store.ts';
import { sameName, TagDot } from './TagDot.tsx';
import type { TagEditorProps } from './TagEditor.tsx';
import { t } from './t.ts';

/** Chooses among the site's tags, or makes one by typing its name. */
export function TagPicker({ tags, onChange }: TagEditorProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="inline-flex h-6 items-center gap-1 rounded-md border border-control border-dashed px-2 text-soft text-xs hover:text-text">
        <Plus aria-hidden className="size-3" />
        {t('tag_add')}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" className="z-50">
          <Popover.Popup
            aria-label={t('tags')}
            className="w-60 rounded-lg bg-raised p-1 shadow-float outline-none"
          >
            <TagChoice tags={tags} onChange={onChange} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function TagChoice({ tags, onChange }: TagEditorProps) {
  const [text, setText] = useState('');
  const client = useQueryClient();
  const all = useQuery(tagsQuery).data?.items ?? [];
  const wanted = text.trim();
  const found = all.filter((tag) => tag.name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()));
  const isNew = wanted !== '' && !all.some((tag) => sameName(tag.name, wanted));
  const has = (name: string): boolean => tags.some((one) => sameName(one, name));
  const toggle = (name: string): void =>
    onChange(has(name) ? tags.filter((one) => !sameName(one, name)) : [...tags, name]);
  const create = useMutation({
    mutationFn: () => call('tags.create', { name: wanted }),
    onSuccess: (tag) => {
      setText('');
      void client.invalidateQueries({ queryKey: tagsQuery.queryKey });
      onChange([...tags, tag.name]);
    },
    onError: (error) => complain(t('tag_failed'), error),
  });
  return (
    <>
      <input
        aria-label={t('tag_find')}
        placeholder={t('tag_find')}
        dir="auto"
        maxLength={TAG_NAME_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          if (isNew) create.mutate();
          else if (found[0]) toggle(found[0].name);
        }}
        className="mb-1 h-8 w-full border-b bg-transparent px-2 outline-none"
      />
      <div className="scroll-y max-h-56">
        {found.map((tag) => (
          <button
            key={tag.id}
            type="button"
            aria-pressed={has(tag.name)}
            onClick={() => toggle(tag.name)}
            className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover"
          >
            <TagDot color={tag.color} />
            <span className="flex-1 truncate" dir="auto">
              {tag.name}
            </span>
            {has(tag.name) ? <Check aria-hidden className="size-4 text-accent-text" /> : null}
          </button>
        ))}
        {isNew ? (
          <button
            type="button"
            aria-disabled={create.isPending}
            onClick={() => create.isPending || create.mutate()}
            className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover"
          >
            <Plus aria-hidden className="size-4 text-soft" />
            <span className="truncate">{t('tag_make', { wanted })}</span>
          </button>
        ) : found.length === 0 ? (
          <p className="px-2 py-1 text-soft">{t('tags_none')}</p>
        ) : null}
      </div>
      <Link
        to="/settings/tags"
        className="mt-1 flex h-8 items-center border-t px-2 text-accent-text hover:underline"
      >
        {t('tags_manage')}
      </Link>
    </>
  );
}
