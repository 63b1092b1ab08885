import { Popover } from '@base-ui/react/popover';
import { TAG_NAME_MAX } from '@foyer/protocol/values/bounds';
import { Link } from '@tanstack/react-router';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { TagDot } from './TagDot.tsx';
import { t } from './t.ts';
import { useTagChoice } from './use-tag-choice.ts';

interface TagPickerProps {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}

/** Chooses among the site's tags, or creates one by typing its name. */
export function TagPicker({ tags, onChange }: TagPickerProps) {
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

function TagChoice({ tags, onChange }: TagPickerProps) {
  const choice = useTagChoice(tags, onChange);
  return (
    <>
      <input
        aria-label={t('tag_find')}
        placeholder={t('tag_find')}
        dir="auto"
        maxLength={TAG_NAME_MAX}
        value={choice.text}
        onChange={(event) => choice.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choice.take();
        }}
        className="mb-1 h-8 w-full border-b bg-transparent px-2 outline-none"
      />
      <div className="scroll-y max-h-56">
        {choice.found.map((tag) => (
          <button
            key={tag.id}
            type="button"
            aria-pressed={choice.has(tag.name)}
            onClick={() => choice.toggle(tag.name)}
            className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover"
          >
            <TagDot color={tag.color} />
            <span className="flex-1 truncate" dir="auto">
              {tag.name}
            </span>
            {choice.has(tag.name) ? <Check aria-hidden className="size-4 text-accent-text" /> : null}
          </button>
        ))}
        {choice.isNew ? (
          <button
            type="button"
            aria-disabled={choice.isCreating}
            onClick={choice.create}
            className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover"
          >
            <Plus aria-hidden className="size-4 text-soft" />
            <span className="truncate">{t('tag_create', { wanted: choice.wanted })}</span>
          </button>
        ) : choice.found.length === 0 ? (
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
