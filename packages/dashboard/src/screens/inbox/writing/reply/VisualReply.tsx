import { type KeyboardEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { link, linkAt } from '../../../../editor/commands.ts';
import { REPLY_KEYS } from '../../../../editor/keys.ts';
import { LinkPicker } from '../../../../editor/LinkPicker.tsx';
import { REPLY } from '../../../../editor/markdown/dialect.ts';
import { plugins } from '../../../../editor/plugins.ts';
import '../../../../editor/rich-text.css';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import { type RichText, textAttributes, useRichText } from '../../../../editor/use-rich-text.ts';
import { useDrafted } from '../drafts/use-draft.ts';
import type { TextBoxProps } from '../TextBox.tsx';
import { ReplyToolbar } from './ReplyToolbar.tsx';
import './reply-text.css';
import { replyTyping } from './reply-typing.ts';
import { visualBox } from './visual-box.ts';

interface VisualReplyProps extends TextBoxProps {
  showsTools: boolean;
  /** Whether somebody has just chosen to write here, and so has the caret. */
  goesOn: RefObject<boolean>;
  /** It has taken over from the plain box, or gives it back. */
  onReady: (isReady: boolean) => void;
  /** The text has what can't be shown here as it is. */
  onUnfit: () => void;
  /** Shows the text as its markdown. */
  onMarkdown: () => void;
}

/** Where the caret is in the plain box that stands there until now, and whether somebody writes there. */
function usePlainCaret({ writing, goesOn }: VisualReplyProps) {
  const caret = useRef<number | null>(null);
  const focuses = useRef(false);
  useEffect(() => {
    const box = writing.box.current;
    if (!box) return;
    focuses.current = goesOn.current || document.activeElement === box;
    goesOn.current = false;
    // Where nobody has been yet, one goes on at the end.
    caret.current = focuses.current || box.selectionEnd > 0 ? box.selectionEnd : box.value.length;
  }, [writing, goesOn]);
  return { caret, focuses };
}

/** The document of the reply, in the place of the plain box. */
function useReplyText(
  props: VisualReplyProps,
  place: RefObject<HTMLDivElement | null>,
): RichText | undefined {
  const { writing, onReady } = props;
  const { drafts } = useDesk();
  const value = useDrafted(writing.place, ({ reply }) => reply);
  const latest = useRef(props);
  latest.current = props;
  // Its effect is before the one that shows the text.
  const plain = usePlainCaret(props);
  const now = useRef<RichText>(undefined);
  const text = useRichText(place, {
    ...plain,
    value,
    dialect: REPLY,
    look: 'reply-text',
    plugins: () => [replyTyping(latest), ...plugins({ dialect: REPLY, keys: REPLY_KEYS })],
    onChange: (reply) => {
      drafts.change(writing.place, { reply });
      latest.current.onTyping?.(reply.trim() !== '');
    },
    onUnfit: props.onUnfit,
    // From here on nobody gets to the plain box, which is still there: its focus would go with it.
    onShown: (view) => {
      writing.visual.current = visualBox(view, () => now.current?.offset() ?? 0);
      onReady(true);
    },
    attributes: textAttributes(props.label, props.placeholder),
  });
  now.current = text;
  useEffect(
    () => () => {
      writing.visual.current = null;
      onReady(false);
    },
    [writing, onReady],
  );
  return text;
}

/** The reply to a ticket as it will look. It takes over from the plain box in the middle of a word, if need be. */
export function VisualReply(props: VisualReplyProps) {
  const place = useRef<HTMLDivElement>(null);
  const [asksLink, setAsksLink] = useState(false);
  const text = useReplyText(props, place);
  const press = (event: KeyboardEvent): void => {
    const isLink = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'k';
    if (!isLink || asksLink) return;
    event.preventDefault();
    event.stopPropagation();
    setAsksLink(true);
  };
  return (
    <>
      {text && props.showsTools ? (
        // Its words may come later than the text.
        <Suspense fallback={<div className="h-9.5 max-md:h-11.5" />}>
          <ReplyToolbar text={text} onLink={() => setAsksLink(true)} onMarkdown={props.onMarkdown} />
        </Suspense>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key of the text within, which is the editor's own element */}
      <div ref={place} onKeyDown={press} />
      {text && asksLink ? (
        <Suspense>
          <AskedLink text={text} onClose={() => setAsksLink(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function AskedLink({ text: { state, run }, onClose }: { text: RichText; onClose: () => void }) {
  const choose = (href: string, words: string): void => {
    if (href === '' || REPLY.follows(href)) run(link(href, words));
  };
  return <LinkPicker href={linkAt(state).href} onChoose={choose} onClose={onClose} />;
}
