import type { Tag } from '@foyer/protocol';
import { contrast, isColor, textOn } from '@foyer/protocol/values/accent';
import { TAG_NAME_MAX } from '@foyer/protocol/values/bounds';
import { TAG_COLOR_NAMES, TAG_COLORS } from '@foyer/protocol/values/tag-colors';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';
import { useTagsChanged } from './use-tags-changed.ts';

/** The minimum contrast for anything but text (WCAG 1.4.11). */
const SEEN_FROM = 3;
/** The backgrounds of a list, light and dark. */
const GROUNDS = ['#ffffff', '#1c2120'];

const isFaint = (color: string): boolean =>
  isColor(color) && GROUNDS.some((ground) => contrast(color, ground) < SEEN_FROM);
const isOffered = (color: string): boolean => TAG_COLOR_NAMES.some((name) => TAG_COLORS[name] === color);

/** Creates a tag, or changes its name or colour. */
export function TagDialog({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const changed = useTagsChanged();
  const form = useForm({
    initial: { name: tag?.name ?? '', color: tag?.color ?? (TAG_COLORS.teal as string) },
    save: (values) => (tag ? call('tags.update', { id: tag.id, ...values }) : call('tags.create', values)),
    onSaved: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <FormDialog
      title={t(tag ? 'edit_title' : 'new')}
      form={form}
      {...(tag ? {} : { action: t('create'), failure: t('create_failed') })}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        required
        autoFocus
        maxLength={TAG_NAME_MAX}
        hint={tag ? t('rename_hint') : undefined}
        {...form.text('name')}
      />
      <ColorChoice color={form.values.color} onChange={(color) => form.set({ color })} />
    </FormDialog>
  );
}

/** A colour of the palette, or a custom one. */
function ColorChoice({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{t('color')}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {TAG_COLOR_NAMES.map((offered) => (
          <label
            key={offered}
            title={t(`color_${offered}`)}
            style={{ backgroundColor: TAG_COLORS[offered], color: textOn(TAG_COLORS[offered]) }}
            className="grid size-8 cursor-pointer place-items-center rounded-full has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 max-md:size-10"
          >
            <input
              type="radio"
              name={name}
              aria-label={t(`color_${offered}`)}
              className="sr-only"
              checked={TAG_COLORS[offered] === color}
              onChange={() => onChange(TAG_COLORS[offered])}
            />
            {TAG_COLORS[offered] === color ? <Check aria-hidden className="size-4" /> : null}
          </label>
        ))}
        <input
          type="color"
          aria-label={t('color_own')}
          title={t('color_own')}
          value={color}
          onChange={(event) => onChange(event.target.value)}
          className="h-9 w-14 shrink-0 rounded-lg border border-line-strong bg-field p-1 max-md:h-11"
        />
      </div>
      {!isOffered(color) && isFaint(color) ? <p className="mt-2 text-soft">{t('color_faint')}</p> : null}
    </fieldset>
  );
}
