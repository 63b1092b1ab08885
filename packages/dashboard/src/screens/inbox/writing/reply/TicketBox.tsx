import { CatchBoundary } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../../../lazy-part.ts';
import { useDrafted } from '../drafts/use-draft.ts';
import { TextBox, type TextBoxProps } from '../TextBox.tsx';
import { t } from '../t.ts';
import type { ReplyFormat } from './use-reply-format.ts';
import { useVisualReply } from './use-visual-reply.ts';

const MarkdownTools = lazyPart(() => import('../../../../editor/MarkdownTools.tsx'), 'MarkdownTools');
const FormatToggle = lazyPart(() => import('../../../../editor/FormatToggle.tsx'), 'FormatToggle');

/** Where there is room for them, the tools of a reply are shown until somebody hides them. */
const WIDE = '(min-width: 768px)';

const showsTools = ({ showsTools: chosen }: ReplyFormat, isNote: boolean): boolean =>
  chosen ?? (!isNote && matchMedia(WIDE).matches);

interface TicketBoxProps extends TextBoxProps {
  format: ReplyFormat;
}

/** In which of its ways the text is shown now, and the ways from one to the other. */
function useWays({ format, writing, tab }: Pick<TicketBoxProps, 'format' | 'writing' | 'tab'>) {
  const isEmpty = useDrafted(writing.place, ({ reply }) => reply === '');
  /** Of the text as it is: what comes after it may be shown again. */
  const [isUnfit, setUnfit] = useState(false);
  if (isUnfit && isEmpty) setUnfit(false);
  const isVisual = tab === 'reply' && !format.isMarkdown && !isUnfit;
  /** Somebody has just chosen this way to write, and goes on in it. */
  const goesOn = useRef(false);
  return {
    isVisual,
    isUnfit: isUnfit && tab === 'reply' && !format.isMarkdown,
    goesOn,
    refuse: (): void => setUnfit(true),
    toMarkdown(): void {
      const offset = writing.visual.current?.offset() ?? 0;
      // A key that is pressed before the plain box has the focus would run a command.
      flushSync(() => format.chooseMarkdown(true));
      writing.box.current?.focus();
      writing.box.current?.setSelectionRange(offset, offset);
    },
    toVisual(): void {
      goesOn.current = true;
      setUnfit(false);
      format.chooseMarkdown(false);
    },
  };
}

/**
 * The text of a ticket's reply or note. A reply is written as it will look; until the editor for that is loaded, where it
 * can't be, and for a text that it can't show, a plain box stands in its place.
 */
export function TicketBox({ format, ...box }: TicketBoxProps) {
  const isNote = box.tab === 'note';
  const { isVisual, isUnfit, goesOn, refuse, toMarkdown, toVisual } = useWays({ format, ...box });
  const [isComposing, setComposing] = useState(false);
  const [isReady, setReady] = useState(false);
  const Visual = useVisualReply(isVisual);
  const shown = showsTools(format, isNote);
  return (
    <>
      {isVisual && isReady ? null : (
        <div onCompositionStart={() => setComposing(true)} onCompositionEnd={() => setComposing(false)}>
          <Suspense fallback={shown ? <div className="h-9.5 max-md:h-11.5" /> : null}>
            <MarkdownTools
              box={box.writing.box}
              isShown={shown}
              onVisual={isNote || isVisual ? undefined : toVisual}
            />
          </Suspense>
          {isUnfit ? <p className="px-3.5 pt-1.5 text-soft text-xs">{t('reply_unfit')}</p> : null}
          <TextBox {...box} />
        </div>
      )}
      {Visual && isVisual && (isReady || !isComposing) ? (
        // Until it has taken over, nobody sees it.
        <div aria-hidden={!isReady} className={isReady ? 'pb-1' : 'h-0 overflow-hidden'}>
          <CatchBoundary getResetKey={() => 0} errorComponent={() => null} onCatch={refuse}>
            <Visual
              {...box}
              showsTools={shown}
              goesOn={goesOn}
              onReady={setReady}
              onUnfit={refuse}
              onMarkdown={toMarkdown}
            />
          </CatchBoundary>
        </div>
      ) : null}
    </>
  );
}

/** The button that shows the tools or hides them, wherever it stands. */
export function ToolsToggle({ format, isNote }: { format: ReplyFormat; isNote: boolean }) {
  const isShown = showsTools(format, isNote);
  return (
    <Suspense fallback={<span className="size-8 max-md:size-10" />}>
      <FormatToggle isShown={isShown} onToggle={() => format.showTools(!isShown)} />
    </Suspense>
  );
}
