import { type ReactNode, Suspense, useState } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { holdTyped, takeTyped } from '../../../commands/typed-ahead.ts';
import { lazyPart } from '../../../lazy-part.ts';
import type { Tab } from '../../../live/kept-draft.ts';
import type { MacroTarget, MacroValues } from './macros/MacroPicker.tsx';
import type { Writing } from './use-writing.ts';

const ArticleFinder = lazyPart(() => import('./ArticleFinder.tsx'), 'ArticleFinder');
const loadMacros = () => import('./macros/MacroPicker.tsx');
const MacroPicker = lazyPart(loadMacros, 'MacroPicker');

/** The values for a macro's placeholders, and what it is applied to. */
export interface MacrosHere {
  values: MacroValues;
  target: MacroTarget;
}

export interface Inserting {
  pickMacro: () => void;
  /** The same for a slash before the caret, which the macro replaces. */
  pickBySlash: () => void;
  findArticle: () => void;
  /** The open dialog. */
  dialogs: ReactNode;
}

type Shown = 'macros' | 'macros_by_slash' | 'articles';

/** The dialogs that insert a macro or a link to an article, opened by button, and by key while the box is open. */
export function useInserting(writing: Writing, macros: MacrosHere, isOpen: boolean): Inserting {
  const [shown, setShown] = useState<Shown | null>(null);
  const show = (which: 'macros' | 'articles') => (): void => {
    holdTyped();
    setShown(which);
  };
  const close = (): void => setShown(null);
  const pickMacro = show('macros');
  const findArticle = show('articles');
  useCommands({ macro: isOpen ? pickMacro : undefined, article_link: isOpen ? findArticle : undefined });
  const insertLink = (link: string): void => {
    writing.insertHere(link);
    writing.focus();
  };
  const bySlash = shown === 'macros_by_slash';
  const insertMacro = (words: string, tab: Tab): void => {
    close();
    if (bySlash) writing.insertForSlash(words, tab);
    else writing.insert(words, tab);
  };
  const done = (): void => {
    close();
    if (bySlash) writing.dropSlash();
  };
  const dismiss = (search: string): void => {
    close();
    if (!bySlash) return;
    writing.type(search);
    writing.focus();
  };
  /** If the list is closed, what was typed for it is ordinary text. */
  const pickBySlash = (): void => {
    holdTyped();
    loadMacros().then(
      () => setShown('macros_by_slash'),
      () => writing.type(takeTyped()),
    );
  };
  const dialogs = shown ? (
    <Suspense>
      {shown === 'articles' ? (
        <ArticleFinder onInsert={insertLink} onClose={close} />
      ) : (
        <MacroPicker {...macros} bySlash={bySlash} onInsert={insertMacro} onDone={done} onDismiss={dismiss} />
      )}
    </Suspense>
  ) : null;
  return { pickMacro, pickBySlash, findArticle, dialogs };
}
