import { type KeyboardEvent, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { tCommon } from '../t-common.ts';
import { cx } from '../ui/classes.ts';
import { describe, link, linkAt, selectedPicture } from './commands.ts';
import { DescribePicture } from './DescribePicture.tsx';
import { ARTICLE_KEYS } from './keys.ts';
import { LinkPicker } from './LinkPicker.tsx';
import { ARTICLE } from './markdown/dialect.ts';
import { plugins } from './plugins.ts';
import { RichToolbar } from './RichToolbar.tsx';
import './rich-text.css';
import { insertPictures, picturesIn, type Upload } from './uploads.ts';
import { type RichText, textAttributes, useRichText } from './use-rich-text.ts';

interface RichEditorProps {
  label: string;
  placeholder: string;
  /** The text in markdown. */
  value: string;
  /** The error, worded to follow the label. */
  error?: string | undefined;
  onChange: (value: string) => void;
  /** The text contains something that can't be shown here unchanged; then nothing is shown. */
  onUnfit: () => void;
  upload: Upload;
  uploading: boolean;
  caret: RefObject<number | null>;
}

/** A visual editor for markdown. */
export function RichEditor(props: RichEditorProps) {
  const { label, placeholder, error, upload, uploading } = props;
  const place = useRef<HTMLDivElement>(null);
  const [asks, setAsks] = useState<'link' | 'picture' | null>(null);
  const id = useId();
  const latest = useRef(upload);
  latest.current = upload;
  const text = useRichText(place, {
    ...props,
    dialect: ARTICLE,
    look: 'article-text',
    plugins: () => plugins({ dialect: ARTICLE, keys: ARTICLE_KEYS, upload: (file) => latest.current(file) }),
    attributes: {
      ...textAttributes(label, placeholder),
      ...(error ? { 'aria-invalid': 'true', 'aria-describedby': id } : {}),
    },
  });
  const press = (event: KeyboardEvent): void => {
    const isLink = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'k';
    if (!isLink || asks) return;
    event.preventDefault();
    event.stopPropagation();
    setAsks('link');
  };
  return (
    <>
      <fieldset
        aria-label={label}
        onKeyDown={press}
        className={cx(
          'rich-frame min-w-0 rounded-lg border bg-field',
          error ? 'border-danger' : 'border-line-strong',
        )}
      >
        {text ? (
          // Its labels may load after the text.
          <Suspense fallback={<div className="h-10 border-b" />}>
            <RichToolbar
              text={text}
              uploading={uploading}
              onPictures={(files) =>
                insertPictures(text.view, picturesIn(files), text.state.selection.from, upload)
              }
              onLink={() => setAsks('link')}
              onDescribe={() => setAsks('picture')}
            />
          </Suspense>
        ) : null}
        <div ref={place} />
      </fieldset>
      {error ? (
        <p id={id} className="mt-1 text-danger-text">
          {tCommon('field_wrong', { label, problem: error })}
        </p>
      ) : null}
      {text && asks ? <Asked text={text} what={asks} onClose={() => setAsks(null)} /> : null}
    </>
  );
}

interface AskedProps {
  text: RichText;
  what: 'link' | 'picture';
  onClose: () => void;
}

function Asked({ text: { state, run }, what, onClose }: AskedProps) {
  if (what === 'picture')
    return (
      <DescribePicture
        description={selectedPicture(state)?.attrs.alt ?? ''}
        onDescribe={(description) => run(describe(description))}
        onClose={onClose}
      />
    );
  return (
    <LinkPicker
      href={linkAt(state).href}
      onChoose={(href, words) => run(link(href, words))}
      onClose={onClose}
    />
  );
}
