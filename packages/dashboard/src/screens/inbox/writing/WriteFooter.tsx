import { BookOpen, Zap } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { COMMANDS } from '../../../commands/commands.ts';
import { lazyPart } from '../../../lazy-part.ts';
import type { Tab } from '../../../live/kept-draft.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { AttachButton } from './ComposerFiles.tsx';
import { useDrafted } from './drafts/use-draft.ts';
import { SendButton } from './SendButton.tsx';
import type { SendKey } from './TextBox.tsx';
import { t } from './t.ts';
import type { Writing } from './use-writing.ts';

const EmojiMenu = lazyPart(() => import('./emoji/EmojiMenu.tsx'), 'EmojiMenu');

interface WriteFooterProps {
  writing: Writing;
  tab: Tab;
  longest: number;
  sendsOn: SendKey;
  /** Undefined: no files here. */
  addFiles: ((files: File[]) => void) | undefined;
  onMacro: () => void;
  onArticle: () => void;
  send: (done?: boolean) => void;
  tools?: ReactNode;
  remark?: ReactNode;
  beforeSend?: ReactNode;
  afterSend?: ((sendAndBeDone: () => void) => ReactNode) | undefined;
}

/** Below the text: what can be inserted, a remark, and how to send. */
export function WriteFooter(props: WriteFooterProps) {
  const { writing, tab, longest, sendsOn, addFiles, send } = props;
  const { place } = writing;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 pb-2 ps-2 pe-2">
      <div className="flex flex-wrap">
        <IconButton label={t('macros')} shortcut="m" onClick={props.onMacro}>
          <Zap aria-hidden className="size-4" />
        </IconButton>
        <Suspense fallback={<span className="size-8 max-md:size-10" />}>
          <EmojiMenu
            onChoose={(emoji) => {
              writing.type(emoji);
              writing.focus();
            }}
          />
        </Suspense>
        <IconButton label={t('article_link')} shortcut={COMMANDS.article_link.keys} onClick={props.onArticle}>
          <BookOpen aria-hidden className="size-4" />
        </IconButton>
        {addFiles ? <AttachButton add={addFiles} /> : null}
        {props.tools}
      </div>
      <Remark place={place} tab={tab} longest={longest} sendsOn={sendsOn}>
        {props.remark}
      </Remark>
      <div className="ms-auto flex items-center gap-3">
        {props.beforeSend}
        <SendButton
          place={place}
          tab={tab}
          longest={longest}
          withFiles={addFiles !== undefined}
          onSend={() => send()}
        />
        {props.afterSend?.(() => send(true))}
      </div>
    </div>
  );
}

const COUNTED_LAST = 400;

interface RemarkProps {
  place: string;
  tab: Tab;
  longest: number;
  sendsOn: SendKey;
  children: ReactNode;
}

/** The remaining length if it is small, otherwise the remark, otherwise what the keys do. */
function Remark({ place, tab, longest, sendsOn, children }: RemarkProps) {
  const length = useDrafted(place, (draft) => {
    const count = draft[tab].length;
    return count > longest - COUNTED_LAST ? count : Math.min(count, 1);
  });
  if (length > 1 || length > longest) {
    const left = longest - length;
    return (
      <p className={cx('tabular flex-1 text-xs', left < 0 ? 'text-danger-text' : 'text-soft')}>
        {left < 0 ? t('too_long', { count: -left }) : t('characters_left', { count: left })}
      </p>
    );
  }
  if (children) return children;
  return (
    <p className="whole-items min-w-0 flex-1 text-faint text-xs max-md:hidden">
      <span>{length === 0 ? '' : t(sendsOn === 'enter' ? 'enter_sends' : 'ctrl_enter_sends')}</span>
    </p>
  );
}
