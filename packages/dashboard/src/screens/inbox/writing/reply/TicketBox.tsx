import { CatchBoundary } from '@tanstack/react-router';
import { Suspense, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../../../lazy-part.ts';
import { useDrafted } from '../drafts/use-draft.ts';
import { TextBox, type TextBoxProps } from '../TextBox.tsx';
import { t } from '../t.ts';
import type { ReplyFormat } from './use-reply-format.ts';
import { useVisualReply } from './use-visual-reply.ts';

const MarkdownTools = lazyPart(() => import('../../../../editor/MarkdownTools.tsx'), 'MarkdownTools');
const FormatToggle = lazyPart(() => import('../../../../editor/FormatToggle.tsx'), 'FormatToggle');

/** On wide screens, the tools are shown until the agent hides them. */
const WIDE = '(min-width: 768px)';

const showsTools = ({ showsTools: chosen }: ReplyFormat, isNote: boolean): boolean =>
  chosen ?? (!isNote && matchMedia(WIDE).matches);

interface TicketBoxProps extends TextBoxProps {
  format: ReplyFormat;
}

/** Whether the visual or the plain editor is shown, and how to switch. */
function useWays({ format, writing, tab }: Pick<TicketBoxProps, 'format' | 'writing' | 'tab'>) {
  const isEmpty = useDrafted(writing.place, ({ reply }) => reply === '');
  /** For the current text; a later one may be shown again. */
  const [isUnfit, setUnfit] = useState(false);
  if (isUnfit && isEmpty) setUnfit(false);
  const isVisual = tab === 'reply' && !format.isMarkdown && !isUnfit;
  /** The agent has just chosen this editor and continues in it. */
  const goesOn = useRef(false);
  return {
    isVisual,
    isUnfit: isUnfit && tab === 'reply' && !format.isMarkdown,
    goesOn,
    refuse: (): void => setUnfit(true),
    toMarkdown(): void {
      const offset = writing.visual.current?.offset() ?? 0;
      // A key pressed before the plain box has the focus would run a command.
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

/** Whether the visual editor is ready, and what it calls when that changes. */
function useReady({ box, visual }: TicketBoxProps['writing']): [boolean, (isReady: boolean) => void] {
  const [isReady, setReady] = useState(false);
  const tell = useCallback(
    (ready: boolean): void => {
      if (!ready) setReady(false);
      // Before anything else happens, but React can't render within the effect that calls it.
      else
        queueMicrotask(() => {
          if (visual.current === null) return;
          const hasFocus = box.current !== null && document.activeElement === box.current;
          flushSync(() => setReady(true));
          // The plain box is gone: keys meant for it would run commands.
          if (hasFocus) visual.current.focus();
        });
    },
    [box, visual],
  );
  return [isReady, tell];
}

/**
 * The text of a ticket's reply or note. A reply is written in the visual editor. A plain box replaces it until it
 * is loaded, if it can't be, and for a text that it can't show.
 */
export function TicketBox({ format, ...box }: TicketBoxProps) {
  const isNote = box.tab === 'note';
  const { isVisual, isUnfit, goesOn, refuse, toMarkdown, toVisual } = useWays({ format, ...box });
  const [isComposing, setComposing] = useState(false);
  const [isReady, setReady] = useReady(box.writing);
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
        // Hidden until it has taken over.
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

/** The button that shows or hides the tools. */
export function ToolsToggle({ format, isNote }: { format: ReplyFormat; isNote: boolean }) {
  const isShown = showsTools(format, isNote);
  return (
    <Suspense fallback={<span className="size-8 max-md:size-10" />}>
      <FormatToggle isShown={isShown} onToggle={() => format.showTools(!isShown)} />
    </Suspense>
  );
}
