import { FileCode } from 'lucide-react';
import { type ComponentProps, Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../lazy-part.ts';
import { store } from '../../storage.ts';
import { cx } from '../../ui/classes.ts';
import { Segments } from '../../ui/forms/Segments.tsx';
import { Callout } from '../../ui/States.tsx';
import { issueIn } from './ArticleFields.tsx';
import { DraftWords } from './articles/ArticleNotices.tsx';
import { ArticlePreview } from './articles/ArticlePreview.tsx';
import { useArticleImages } from './articles/article-images.ts';
import { MarkdownEditor } from './articles/MarkdownEditor.tsx';
import { t } from './t.ts';
import type { ArticleEditing } from './use-article-editor.ts';

const RichEditor = lazyPart(() => import('../../editor/RichEditor.tsx'), 'RichEditor');

/** The visual editor or markdown. */
type Way = 'visual' | 'markdown';
const CHOSEN = 'foyer.article-editor';

/** The editor last chosen in this browser. */
function useWay() {
  const [way, setWay] = useState<Way>(() => (store.getItem(CHOSEN) === 'markdown' ? 'markdown' : 'visual'));
  /** The visual editor can't show this text: stays until the agent switches. */
  const [isUnfit, setUnfit] = useState(false);
  return {
    way: isUnfit ? 'markdown' : way,
    isUnfit,
    refuse: (): void => setUnfit(true),
    choose: (chosen: Way): void => {
      store.setItem(CHOSEN, chosen);
      setUnfit(false);
      setWay(chosen);
    },
  } as const;
}

/** The text in the visual editor, or as markdown beside its preview. */
export function ArticleBody({ editing }: { editing: ArticleEditing }) {
  const { form, set, keeping, dirty } = editing;
  const { way, isUnfit, refuse, choose } = useWay();
  const images = useArticleImages();
  const caret = useRef<number | null>(null);
  const shared = {
    value: form.body,
    error: issueIn(editing, 'body'),
    onChange: (body: string): void => set({ body }),
    caret,
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <DraftWords state={keeping.state} dirty={dirty} />
        <div className="ms-auto">
          <Segments
            label={t('way')}
            value={way}
            options={[
              { value: 'visual', label: t('way_visual') },
              { value: 'markdown', label: t('markdown') },
            ]}
            onChange={choose}
          />
        </div>
      </div>
      {isUnfit ? <Callout icon={<FileCode aria-hidden />}>{t('way_unfit')}</Callout> : null}
      {way === 'visual' ? (
        <Suspense fallback={<div className="min-h-96 rounded-lg border" />}>
          <RichEditor
            {...shared}
            {...images}
            label={t('text')}
            placeholder={t('text_start')}
            onUnfit={refuse}
          />
        </Suspense>
      ) : (
        <MarkdownAndPreview {...shared} images={images} />
      )}
    </>
  );
}

/** Markdown beside its preview; on narrow screens one at a time. */
function MarkdownAndPreview(props: ComponentProps<typeof MarkdownEditor>) {
  const [side, setSide] = useState<'write' | 'preview'>('write');
  return (
    <>
      <div className="xl:hidden">
        <Segments
          label={t('show')}
          value={side}
          options={[
            { value: 'write', label: t('write') },
            { value: 'preview', label: t('preview') },
          ]}
          onChange={setSide}
        />
      </div>
      <div className="grid gap-4 xl:grid-cols-2">
        <div className={cx('min-w-0', side !== 'write' && 'max-xl:hidden')}>
          <MarkdownEditor {...props} />
        </div>
        <div className={cx('flex min-w-0 flex-col', side !== 'preview' && 'max-xl:hidden')}>
          <p aria-hidden className="mb-2 h-8 py-1.5 font-medium max-xl:hidden">
            {t('preview')}
          </p>
          <ArticlePreview body={props.value} />
        </div>
      </div>
    </>
  );
}
