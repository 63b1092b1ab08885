import { ImagePlus } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ARTICLE_TOOLS, pressedTool } from '../../../editor/markdown-tools.ts';
import { insertImage } from '../../../markdown/edits.ts';
import { applyEdit, type Edit, type Written } from '../../../markdown/marks.ts';
import { PICTURE_TYPES } from '../../../picture-file.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { TextArea } from '../../../ui/forms/Field.tsx';
import { PicturePicker } from '../../../ui/forms/PicturePicker.tsx';
import { t } from '../t.ts';
import type { ArticleImages } from './article-images.ts';

interface MarkdownEditorProps {
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
  images: ArticleImages;
  caret: RefObject<number | null>;
}

/** Uploads images and inserts each at the caret. `take` returns whether the files contained an image. */
function usePictures(
  { upload, uploading }: ArticleImages,
  apply: (edit: (written: Written) => Edit) => void,
) {
  const insert = async (file: File): Promise<void> => {
    const path = await upload(file);
    if (path !== undefined) apply((written) => insertImage(written, file.name, path));
  };
  const take = (files: Iterable<File>): boolean => {
    const pictures = [...files].filter(({ type }) => PICTURE_TYPES.includes(type) && type !== '');
    for (const file of pictures) void insert(file);
    return pictures.length > 0;
  };
  return { take, uploading };
}

/** Continues where another editor of the same text was left. */
function useCaret(field: RefObject<HTMLElement | null>, caret: RefObject<number | null>): void {
  useEffect(() => {
    const area = field.current?.querySelector('textarea');
    const { current: at } = caret;
    if (!area || at === null) return;
    area.focus();
    area.setSelectionRange(at, at);
    const linesBefore = area.value.slice(0, at).split('\n').length;
    const lines = area.value.split('\n').length;
    area.scrollTop = (area.scrollHeight * linesBefore) / lines - area.clientHeight / 2;
  }, [field, caret]);
}

/** Markdown with a toolbar, shortcuts, and pasted, dropped or chosen images. */
export function MarkdownEditor({ value, error, onChange, images, caret }: MarkdownEditorProps) {
  const field = useRef<HTMLFieldSetElement>(null);
  const [over, setOver] = useState(false);
  const apply = (edit: (written: Written) => Edit): void => {
    const area = field.current?.querySelector('textarea');
    if (area) applyEdit(area, edit);
  };
  const pictures = usePictures(images, apply);
  useCaret(field, caret);
  const press = (event: KeyboardEvent): void => {
    const tool = pressedTool(ARTICLE_TOOLS, event);
    if (!tool) return;
    event.preventDefault();
    apply(tool.edit);
  };
  return (
    <fieldset
      aria-label={t('text')}
      ref={field}
      className={cx('flex min-w-0 flex-col rounded-lg', over && 'outline-2 outline-accent outline-dashed')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (pictures.take(event.dataTransfer.files)) event.preventDefault();
      }}
    >
      <Toolbar apply={apply} {...pictures} />
      <TextArea
        bare
        label={t('text')}
        rows={22}
        spellCheck
        placeholder={t('text_example')}
        className="min-h-96 resize-y font-mono text-[13px] leading-5"
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
        onSelect={({ currentTarget }) => {
          caret.current = currentTarget.selectionStart;
        }}
        onKeyDown={press}
        onPaste={(event) => {
          if (pictures.take(event.clipboardData.files)) event.preventDefault();
        }}
      />
    </fieldset>
  );
}

interface ToolbarProps {
  apply: (edit: (written: Written) => Edit) => void;
  take: (files: Iterable<File>) => boolean;
  uploading: boolean;
}

function Toolbar({ apply, take, uploading }: ToolbarProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div role="toolbar" aria-label={t('formatting')} className="mb-2 flex flex-wrap items-center gap-1">
      {ARTICLE_TOOLS.map((tool) => (
        <IconButton
          key={tool.label()}
          label={tool.label()}
          {...(tool.keys ? { shortcut: tool.keys } : {})}
          onClick={() => apply(tool.edit)}
        >
          <tool.icon aria-hidden className="size-4" />
        </IconButton>
      ))}
      <IconButton label={t('image')} busy={uploading} onClick={() => picker.current?.click()}>
        <ImagePlus aria-hidden className="size-4" />
      </IconButton>
      <PicturePicker picker={picker} label={t('images_choose')} onPictures={take} />
      {uploading ? (
        <span role="status" className="late ms-2 text-soft text-xs">
          {t('image_adding')}
        </span>
      ) : null}
    </div>
  );
}
