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
  /** Whether the agent has just chosen this editor, and so has the caret. */
  goesOn: RefObject<boolean>;
  /** It has taken over from the plain box, or returns to it. */
  onReady: (isReady: boolean) => void;
  /** The text contains something that can't be shown here unchanged. */
  onUnfit: () => void;
  /** Switches to markdown. */
  onMarkdown: () => void;
}

/** The caret's position in the plain box shown until now, and whether somebody is typing there. */
function usePlainCaret({ writing, goesOn }: VisualReplyProps) {
  const caret = useRef<number | null>(null);
  const focuses = useRef(false);
  useEffect(() => {
    const box = writing.box.current;
    if (!box) return;
    focuses.current = goesOn.current || document.activeElement === box;
    goesOn.current = false;
    // If the box was never used, the caret goes to the end.
    caret.current = focuses.current || box.selectionEnd > 0 ? box.selectionEnd : box.value.length;
  }, [writing, goesOn]);
  return { caret, focuses };
}

/** The reply's document, in place of the plain box. */
function useReplyText(
  props: VisualReplyProps,
  place: RefObject<HTMLDivElement | null>,
): RichText | undefined {
  const { writing, onReady } = props;
  const { drafts } = useDesk();
  const value = useDrafted(writing.place, ({ reply }) => reply);
  const latest = useRef(props);
  latest.current = props;
  // Must come before the hook that shows the text, so that its effect runs first.
  const plain = usePlainCaret(props);
  const now = useRef<RichText>(undefined);
  const text = useRichText(place, {
    ...plain,
    value,
    // A key that the plain box gets meanwhile moves its caret.
    latest: () => drafts.get(writing.place).reply,
    dialect: REPLY,
    look: 'reply-text',
    plugins: () => [replyTyping(latest), ...plugins({ dialect: REPLY, keys: REPLY_KEYS })],
    onChange: (reply) => {
      drafts.change(writing.place, { reply });
      latest.current.onTyping?.(reply.trim() !== '');
    },
    onUnfit: props.onUnfit,
    // From here on the plain box, which is still there, can't be reached: removing it would lose the focus.
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

/** The reply to a ticket in the visual editor. Takes over from the plain box even in the middle of a word. */
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
        // Its labels may load after the text.
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
