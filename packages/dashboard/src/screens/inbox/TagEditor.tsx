import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../lazy-part.ts';
import { tagsQuery } from '../../queries.ts';
import { sameName, TagDot } from './TagDot.tsx';
import { t } from './t.ts';

/** What is only needed to add a tag is loaded after the chat. */
const TagPicker = lazyPart(() => import('./TagPicker.tsx'), 'TagPicker');

interface TagEditorProps {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}

/** The tags of a chat or ticket: existing ones, or new ones by typing. */
export function TagEditor({ tags, onChange }: TagEditorProps) {
  const { data } = useQuery(tagsQuery);
  const colorOf = (name: string): string | undefined =>
    data?.items.find((tag) => sameName(tag.name, name))?.color;
  return (
    <div className="flex flex-wrap gap-1.5">
      {tags.map((name) => (
        <span
          key={name}
          className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-md bg-pressed ps-2 text-xs"
        >
          <TagDot color={colorOf(name)} />
          <span className="truncate" dir="auto">
            {name}
          </span>
          <button
            type="button"
            aria-label={t('tag_remove', { name })}
            className="rounded-md p-1.5 text-soft hover:text-text"
            onClick={() => onChange(tags.filter((one) => one !== name))}
          >
            <X aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <Suspense>
        <TagPicker tags={tags} onChange={onChange} />
      </Suspense>
    </div>
  );
}
