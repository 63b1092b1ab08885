import type { Session } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { tagsQuery } from '../../queries.ts';
import { useSetTags } from './session-actions.ts';
import { sameName, TagDot } from './TagDot.tsx';

/** What only matters once a tag is added is loaded after the chat. */
const TagPicker = lazy(() => import('./TagPicker.tsx').then((part) => ({ default: part.TagPicker })));

/** A chat's tags: chosen from the site's, or made by typing a new one. */
export function TagEditor({ session }: { session: Session }) {
  const { data } = useQuery(tagsQuery);
  const setTags = useSetTags(session);
  const colorOf = (name: string): string | undefined =>
    data?.items.find((tag) => sameName(tag.name, name))?.color;
  return (
    <div className="flex flex-wrap gap-1.5">
      {session.tags.map((name) => (
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
            aria-label={`Remove the tag ${name}`}
            className="rounded-md p-1 text-soft hover:text-text"
            onClick={() => setTags.mutate(session.tags.filter((one) => one !== name))}
          >
            <X aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <Suspense>
        <TagPicker session={session} onChange={(tags) => setTags.mutate(tags)} />
      </Suspense>
    </div>
  );
}
