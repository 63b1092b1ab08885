import { useMutation } from '@tanstack/react-query';
import {
  Bold,
  Code,
  Heading2,
  Heading3,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
} from 'lucide-react';
import { type ChangeEvent, type DragEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { call } from '../../api.ts';
import { base64OfPicture, PICTURE_TYPES } from '../../picture-file.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { TextArea } from '../../ui/Field.tsx';
import { complain } from '../../ui/toast-store.ts';
import {
  type Edit,
  insertImage,
  insertLink,
  toggleLines,
  toggleMark,
  type Written,
} from './markdown-edit.ts';

interface Tool {
  label: string;
  icon: LucideIcon;
  /** With Ctrl or ⌘. */
  key?: string;
  shift?: true;
  edit: (written: Written) => Edit;
}

const TOOLS: readonly Tool[] = [
  { label: 'Bold', icon: Bold, key: 'b', edit: (written) => toggleMark(written, '**') },
  { label: 'Italic', icon: Italic, key: 'i', edit: (written) => toggleMark(written, '_') },
  { label: 'Code', icon: Code, key: 'e', edit: (written) => toggleMark(written, '`') },
  { label: 'Link', icon: Link, key: 'k', edit: insertLink },
  { label: 'Heading', icon: Heading2, key: '2', edit: (written) => toggleLines(written, 'heading') },
  { label: 'Subheading', icon: Heading3, key: '3', edit: (written) => toggleLines(written, 'subheading') },
  { label: 'Bullets', icon: List, key: '8', shift: true, edit: (written) => toggleLines(written, 'bullets') },
  {
    label: 'Steps',
    icon: ListOrdered,
    key: '7',
    shift: true,
    edit: (written) => toggleLines(written, 'numbers'),
  },
  {
    label: 'Quotation',
    icon: Quote,
    key: '9',
    shift: true,
    edit: (written) => toggleLines(written, 'quote'),
  },
];

const keysOf = ({ key, shift }: Tool): string => `Ctrl ${shift ? 'Shift ' : ''}${key?.toUpperCase() ?? ''}`;

interface MarkdownEditorProps {
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** Markdown with a toolbar, shortcuts, and pictures that are pasted, dropped or picked. */
export function MarkdownEditor({ value, error, onChange }: MarkdownEditorProps) {
  const field = useRef<HTMLFieldSetElement>(null);
  const pickId = useId();
  const [over, setOver] = useState(false);
  const area = (): HTMLTextAreaElement | null => field.current?.querySelector('textarea') ?? null;
  const apply = (edit: (written: Written) => Edit): void => {
    const element = area();
    if (!element) return;
    const { from, to, insert, select } = edit({
      text: element.value,
      start: element.selectionStart,
      end: element.selectionEnd,
    });
    element.focus();
    element.setSelectionRange(from, to);
    // The one way that the browser can undo; where there is none, the text is set.
    if (!document.execCommand('insertText', false, insert)) {
      element.setRangeText(insert, from, to);
      onChange(element.value);
    }
    element.setSelectionRange(...select);
  };
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const content = await base64OfPicture(file);
      return { name: file.name, ...(await call('article_images.create', { content })) };
    },
    onSuccess: ({ name, path }) => apply((written) => insertImage(written, name, path)),
    onError: (failure) => complain('The picture was not added', failure),
  });
  const take = (files: Iterable<File>): boolean => {
    const pictures = [...files].filter(({ type }) => PICTURE_TYPES.includes(type) && type !== '');
    for (const file of pictures) upload.mutate(file);
    return pictures.length > 0;
  };
  const press = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const tool = TOOLS.find(
      ({ key, shift }) =>
        event.shiftKey === Boolean(shift) &&
        (shift ? event.code === `Digit${key}` : event.key.toLowerCase() === key),
    );
    if (!tool) return;
    event.preventDefault();
    apply(tool.edit);
  };
  const drop = (event: DragEvent): void => {
    setOver(false);
    if (take(event.dataTransfer.files)) event.preventDefault();
  };
  return (
    <fieldset
      aria-label="Text"
      ref={field}
      className={cx('flex min-w-0 flex-col rounded-lg', over && 'outline-2 outline-accent outline-dashed')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div role="toolbar" aria-label="Formatting" className="mb-2 flex flex-wrap items-center gap-1">
        {TOOLS.map((tool) => (
          <IconButton
            key={tool.label}
            label={tool.label}
            shortcut={keysOf(tool)}
            onClick={() => apply(tool.edit)}
          >
            <tool.icon aria-hidden className="size-4" />
          </IconButton>
        ))}
        <IconButton
          label="Picture"
          disabled={upload.isPending}
          onClick={() => document.getElementById(pickId)?.click()}
        >
          <ImagePlus aria-hidden className="size-4" />
        </IconButton>
        <input
          id={pickId}
          type="file"
          accept={PICTURE_TYPES}
          multiple
          tabIndex={-1}
          aria-label="Choose pictures"
          className="sr-only"
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            take(event.target.files ?? []);
            event.target.value = '';
          }}
        />
        {upload.isPending ? (
          <span role="status" className="late ms-2 text-soft text-xs">
            Adding the picture…
          </span>
        ) : null}
      </div>
      <TextArea
        bare
        label="Text"
        rows={22}
        spellCheck
        placeholder="Markdown: ## headings, **bold**, lists, links. Paste or drop pictures."
        className="min-h-96 resize-y font-mono text-[13px] leading-5"
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
        onPaste={(event) => {
          if (take(event.clipboardData.files)) event.preventDefault();
        }}
      />
    </fieldset>
  );
}
